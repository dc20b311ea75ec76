"""What somebody else would write from openapi.yaml: a client of the standard library, over real HTTP."""

import json
import urllib.error
import urllib.request
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


class Outsider:
    def __init__(self, base: str, token: str | None = None) -> None:
        self.base = base
        self.token = token

    @classmethod
    def registered(cls, base: str, name: str) -> "Outsider":
        return cls(base, cls(base).call("POST", "/v1/players", {"name": name}).body["token"])

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        try:
            with urllib.request.urlopen(self._request(method, path, body, headers), timeout=30) as reply:  # noqa: S310 our own server
                return Reply(reply.status, dict(reply.headers.items()), reply.read())
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, dict(error.headers.items()), error.read())

    def get(self, path: str) -> Any:
        reply = self.call("GET", path)
        assert reply.status == 200, reply
        return reply.body

    def stream(self, path: str, **headers: str) -> Generator[dict[str, str], None, None]:
        """Server-sent events, field by field."""
        request = self._request("GET", path, None, {"Accept": "text/event-stream", **headers})
        with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 our own server
            event: dict[str, str] = {}
            for line in reply:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    event[name] = value
                elif "data" in event:
                    yield event
                    event = {}
                else:
                    event = {}

    def _request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> urllib.request.Request:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, method=method, data=data)  # noqa: S310 our own server
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        return request
