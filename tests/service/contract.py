"""Whether an answer is one that openapi.yaml allows."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.routing import Map
from werkzeug.test import TestResponse

from events.ruleset import Rulesets
from service.catalogue import KINDS
from service.openapi import document

USUAL_HEADERS = {
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "Cache-Control",
    "Content-Disposition",
    "Content-Length",
    "Content-Security-Policy",
    "Content-Type",
    "Date",
    "Last-Modified",
    "Vary",
    "X-Accel-Buffering",
    "X-Content-Type-Options",
}
"""Headers that mean what HTTP says, and need no word in the contract."""

LIVE = {"text/event-stream", "application/x-ndjson"}


class Contract:
    """The document of a service with these rulesets, ready to check answers against."""

    def __init__(self, rulesets: Rulesets, url_map: Map) -> None:
        self.document = document(rulesets)
        self._urls = url_map.bind("localhost")

    def check(self, method: str, path: str, response: TestResponse) -> None:
        """Raises AssertionError when the contract does not know this answer."""
        assert response.headers["X-Request-Id"]
        try:
            rule, _ = self._urls.match(path.partition("?")[0], method, return_rule=True)
        except (NotFound, MethodNotAllowed) as error:
            self._check_unrouted(error, response)
            return
        template = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        operation = self.document["paths"][template][method.lower()]
        where = f"{method} {template} -> {response.status_code}"
        assert str(response.status_code) in operation["responses"], f"{where}: status not documented"
        stated = self._resolved(operation["responses"][str(response.status_code)])
        self._check_headers(stated, response, where)
        self._check_body(stated, response, where)

    def check_schema(self, name: str, value: Any) -> None:
        """Raises AssertionError when `value` is not what the schema of that name says."""
        errors = [f"{list(error.absolute_path)}: {error.message}" for error in self._validator(name).iter_errors(value)]
        assert not errors, f"{name}: {errors[:3]}"

    def allows_body(self, method: str, template: str, body: Any) -> bool:
        """Whether an operation takes such a body, as far as its schema says."""
        return bool(self._body_validator(method.lower(), template).is_valid(body))

    @cache  # noqa: B019 one contract a session
    def _body_validator(self, method: str, template: str) -> Any:
        (media,) = self.document["paths"][template][method]["requestBody"]["content"].values()
        return _Validator({**media["schema"], "components": self.document["components"]})

    def _check_unrouted(self, error: HTTPException, response: TestResponse) -> None:
        assert response.status_code == error.code
        assert response.mimetype == "application/problem+json"
        self.check_schema("Problem", response.json)
        if isinstance(error, MethodNotAllowed):
            assert response.headers["Allow"]

    def _check_headers(self, stated: dict[str, Any], response: TestResponse, where: str) -> None:
        unknown = set(response.headers.keys()) - USUAL_HEADERS - set(stated.get("headers", {}))
        assert not unknown, f"{where}: headers not documented: {unknown}"

    def _check_body(self, stated: dict[str, Any], response: TestResponse, where: str) -> None:
        content = stated.get("content", {})
        if not content:
            assert response.data == b"", f"{where}: a body where there should be none"
            return
        assert response.mimetype in content, f"{where}: {response.mimetype} not documented"
        if response.mimetype in LIVE:
            return
        if response.mimetype in {"application/json", "application/problem+json"}:
            body = msgspec.json.decode(response.data)
            schema = content[response.mimetype]["schema"]
            if "$ref" in schema:
                self.check_schema(schema["$ref"].rpartition("/")[2], body)
            if response.mimetype == "application/problem+json":
                self._check_problem(body, response)

    def _check_problem(self, body: Any, response: TestResponse) -> None:
        assert body["status"] == response.status_code
        assert KINDS[body["type"].removeprefix("/problems/")].status == response.status_code

    def _resolved(self, stated: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in stated:
            return stated
        found: dict[str, Any] = self.document["components"]["responses"][stated["$ref"].rpartition("/")[2]]
        return found

    @cache  # noqa: B019 one contract a session
    def _validator(self, name: str) -> Any:
        return _Validator({"$ref": f"#/components/schemas/{name}", "components": self.document["components"]})


def _one_of(validator: Any, schemas: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Take the member of a union that its discriminator names, which is quicker than trying all, and stricter."""
    if "discriminator" not in schema:
        yield from Draft202012Validator.VALIDATORS["oneOf"](validator, schemas, instance, schema)
        return
    kind = instance.get("type") if isinstance(instance, dict) else None
    member = schema["discriminator"]["mapping"].get(kind) if isinstance(kind, str) else None
    if member is None:
        yield ValidationError(f"no member of the union has the type {kind!r}")
    else:
        yield from validator.descend(instance, {"$ref": member})


_Validator: Any = extend(Draft202012Validator, {"oneOf": _one_of})  # type: ignore[no-untyped-call]
