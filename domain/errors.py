"""Why the domain says no. Every refusal has a stable code; a rule of a game also names its place in the rulebook."""

import re

from msgspec import Struct, ValidationError


class Rule(Struct, frozen=True):
    """One rule that can refuse a command.

    `code` is a promise to clients (`harbour_full`), `says` a sentence template for `str.format`, in our own words, that
    tells what would be right, `source` the place in the rulebook or the ruling that decides (`"Admiral"`, `"ruling 10"`).
    """

    code: str
    says: str
    source: str


class DomainError(Exception):
    """The root of all refusals.

    `code` is stable, `template` with `params` makes the English sentence, `pointer` is the JSON pointer of the guilty
    part inside the command (`/data/province`), or None when the command as a whole is wrong.
    """

    def __init__(self, code: str, template: str, /, *, pointer: str | None = None, **params: object) -> None:
        self.code = code
        self.template = template
        self.params = params
        self.pointer = pointer
        super().__init__(code, template)

    @property
    def detail(self) -> str:
        """The English sentence."""
        return self.template.format(**self.params)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class RuleViolation(DomainError):
    """The command has the right shape and comes at the right moment, but a rule forbids it (HTTP 422)."""

    def __init__(self, rule: Rule, /, *, pointer: str | None = None, **params: object) -> None:
        super().__init__(rule.code, rule.says, pointer=pointer, **params)
        self.rule = rule


class WrongMoment(DomainError):
    """The command has the right shape, but this is not the moment for it (HTTP 409)."""


class NotAllowed(DomainError):
    """This player may never give this command (HTTP 403)."""


class BadCommand(DomainError):
    """A command or an option whose shape or value no game could accept (HTTP 400)."""

    @classmethod
    def malformed(cls, error: ValidationError, pointer: str) -> "BadCommand":
        """What msgspec says is wrong with the value at `pointer`, with the pointer to the guilty part of it."""
        reason, _, path = str(error).partition(" - at `$")
        where = pointer + path.rstrip("`").replace("[", "/").replace("]", "").replace(".", "/")
        if (field := _FIELD.search(reason)) is not None:
            where += "/" + field[1].replace("~", "~0").replace("/", "~1")
        return cls("malformed-request", "{reason}.", pointer=where, reason=reason)


_FIELD = re.compile(r"(?:unknown|missing required) field `(.*)`$", re.DOTALL)
