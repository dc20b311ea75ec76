"""What people read: the pages of the problem types."""

from flask import Blueprint, Response, render_template

from events.errors import NotFound
from service.catalogue import KINDS
from service.services import services

blueprint = Blueprint("documents", __name__, template_folder="templates")


@blueprint.get("/problems")
def every_problem() -> Response:
    """All types of problems."""
    return _page(render_template("problems.html", kinds=KINDS.values()))


@blueprint.get("/problems/<name:slug>")
def one_problem(slug: str) -> Response:
    """One type of problem; all rules of all games, for the one that stands for them."""
    kind = KINDS.get(slug)
    if kind is None:
        raise NotFound("type of problem")
    games = [ruleset.game for ruleset in services().rulesets.by_id.values()] if slug == "rule-violation" else []
    return _page(render_template("problem.html", kind=kind, games=games))


def _page(html: str) -> Response:
    return Response(html, headers={"Content-Security-Policy": _POLICY}, content_type="text/html; charset=utf-8")


_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
