"""The rulesets."""

from flask import Blueprint, Response

from events.errors import NotFound
from service.answers import answer, not_modified
from service.callers import caller
from service.incoming import knows_already, read_query
from service.language import in_language, language
from service.ruleset_pages import Page
from service.schemas import NoQuerySchema
from service.services import services

blueprint = Blueprint("rulesets", __name__)

NO_QUERY = NoQuerySchema()


@blueprint.get("/v1/rulesets")
def every() -> Response:
    """All rulesets."""
    caller()
    read_query(NO_QUERY)
    return _shown(services().ruleset_pages[language().tag].all)


@blueprint.get("/v1/rulesets/<name:ruleset>")
def one(ruleset: str) -> Response:
    """One ruleset."""
    caller()
    read_query(NO_QUERY)
    page = services().ruleset_pages[language().tag].by_id.get(ruleset)
    if page is None:
        raise NotFound("ruleset")
    return _shown(page)


def _shown(page: Page) -> Response:
    if knows_already(page.etag):
        return not_modified(page.etag)
    return in_language(answer(page.body, headers={"ETag": page.etag}))
