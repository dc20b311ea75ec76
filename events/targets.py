"""Where webhooks may be sent: what an address must look like, and to which machines it may lead."""

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from domain.errors import BadCommand
from events.settings import Settings

LONGEST_URL = 2048

_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that a NAT64 gateway turns into the IPv4 address in their last four bytes."""
_SITE_LOCAL = IPv6Network("fec0::/10")
_HOST = re.compile(r"[0-9A-Za-z_.-]{1,253}|[0-9A-Fa-f:.]{2,45}")


class BadTarget(BadCommand):
    """Nothing is sent to this address (HTTP 400)."""

    def __init__(self, template: str) -> None:
        super().__init__("bad-webhook-target", template, pointer="/url")


class Policy(Struct, frozen=True):
    """What a deployment allows beyond HTTPS to public addresses: plain HTTP, and any machine that can be reached."""

    plain_http: bool = False
    private: bool = False

    @classmethod
    def of(cls, settings: Settings) -> "Policy":
        """That of a deployment."""
        return cls(plain_http=settings.webhook_http, private=settings.webhook_private)

    def demand(self, url: str) -> SplitResult:
        """The parts of an address that may be a target. What its name leads to is seen when it is connected to.

        Raises BadTarget.
        """
        parts = _parts(url)
        if parts.scheme != "https" and not (self.plain_http and parts.scheme == "http"):
            raise BadTarget("A webhook is sent by HTTPS: the address begins with 'https://'.")
        if parts.username is not None or parts.password is not None:
            raise BadTarget("The address of a webhook holds no user and no password; its secret signs what is sent.")
        if parts.fragment:
            raise BadTarget("The address of a webhook has no part after '#'.")
        if not self._may_name(parts.hostname or ""):
            raise BadTarget("This service sends no webhooks to private or local addresses.")
        return parts

    def allows(self, address: str) -> bool:
        """Whether a connection may be made to this IP address."""
        return self.private or is_public(address)

    def _may_name(self, host: str) -> bool:
        if self.private:
            return True
        if host.rstrip(".").lower().rpartition(".")[2] in {"localhost", "local", "internal"}:
            return False
        try:
            return is_public(host)
        except ValueError:  # it is a name
            return True


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, also that which is packed into another.

    Raises ValueError when it is no IP address.
    """
    found = ip_address(address.partition("%")[0])
    inner = _inner(found)
    if inner is not None:
        return is_public(str(inner))
    if isinstance(found, IPv6Address) and found in _SITE_LOCAL:
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def _inner(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to this IPv6 address may end at."""
    if isinstance(address, IPv4Address):
        return None
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        is_address = parts.port != 0 and _HOST.fullmatch(parts.hostname or "") is not None
    except ValueError:  # of the port, or of an address in brackets
        is_address = False
    if not is_address or re.fullmatch(r"[!-~]+", url) is None or "\\" in url:
        raise BadTarget("This is no address: a webhook has one like 'https://example.org/annales', in ASCII.")
    return parts
