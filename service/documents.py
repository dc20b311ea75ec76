"""What people and generators of clients read: the contract, its page, and the pages of the problem types."""

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from flask import Blueprint, Response, render_template
from markupsafe import Markup

from events.errors import NotFound
from events.ruleset import Rulesets
from service.answers import JSON, not_modified
from service.catalogue import KINDS
from service.incoming import knows_already
from service.language import in_language, language, title_of
from service.openapi import as_json, as_yaml, document
from service.services import services

blueprint = Blueprint("documents", __name__, template_folder="templates")

_PAGE = "default-src 'none'; style-src 'unsafe-inline'"
_DOCS = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Redoc styles itself inline and searches in a worker made from a blob; it may load nothing from elsewhere."""

_ASSETS = {
    "redoc.standalone.js": "text/javascript; charset=utf-8",
    "redoc.standalone.js.LICENSE.txt": "text/plain; charset=utf-8",
    "redoc.LICENSE.txt": "text/plain; charset=utf-8",
}


@blueprint.app_template_filter("marked")
def marked(text: str) -> Markup:
    """A text with what stands in backticks shown as code."""
    return Markup("").join(  # the pieces are escaped as they are joined
        Markup("<code>{}</code>").format(piece) if number % 2 else piece for number, piece in enumerate(text.split("`"))
    )


@blueprint.get("/openapi.json")
def openapi_json() -> Response:
    """The contract as JSON."""
    return _text(_contract(services().rulesets)[0], JSON)


@blueprint.get("/openapi.yaml")
def openapi_yaml() -> Response:
    """The contract as YAML."""
    return _text(_contract(services().rulesets)[1], "application/yaml")


@blueprint.get("/docs")
def docs() -> Response:
    """The contract for people, with nothing that comes from elsewhere."""
    return _page(render_template("docs.html"), _DOCS)


@blueprint.get("/docs/<asset>")
def docs_asset(asset: str) -> Response:
    """What the page for people is made of, and its licences."""
    if asset not in _ASSETS:
        raise NotFound("file")
    return _text(files("service").joinpath("static", asset).read_bytes(), _ASSETS[asset])


@blueprint.get("/problems")
def every_problem() -> Response:
    """All types of problems."""
    return _spoken("problems.html", kinds=KINDS.values())


@blueprint.get("/problems/<name:slug>")
def one_problem(slug: str) -> Response:
    """One type of problem; all rules of all games, for the one that stands for them."""
    kind = KINDS.get(slug)
    if kind is None:
        raise NotFound("type of problem")
    games = [ruleset.game for ruleset in services().rulesets.by_id.values()] if slug == "rule-violation" else []
    return _spoken("problem.html", kind=kind, games=games, title_of=title_of)


@lru_cache(maxsize=1)
def _contract(rulesets: Rulesets) -> tuple[bytes, bytes]:
    """The contract as JSON and as YAML, made when first asked for."""
    made: dict[str, Any] = document(rulesets)
    return as_json(made), as_yaml(made)


def _text(body: bytes, media_type: str) -> Response:
    etag = f'"{sha256(body).hexdigest()[:16]}"'
    if knows_already(etag):
        return not_modified(etag)
    return Response(body, headers={"Cache-Control": "no-cache", "ETag": etag}, content_type=media_type)


def _spoken(template: str, **about: Any) -> Response:
    """A page in the language of the caller."""
    spoken = language()
    html = render_template(template, lang=spoken.tag, text=spoken.text, say=spoken.say, **about)
    return in_language(_page(html, _PAGE))


def _page(html: str, policy: str) -> Response:
    return Response(html, headers={"Content-Security-Policy": policy}, content_type="text/html; charset=utf-8")
