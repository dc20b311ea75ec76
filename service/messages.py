"""All that the service can say to people, for the catalogues in `locale/`.

`python -m service.messages --write` brings them up to date with the code and compiles them, `--check` says what is missing.

Most sentences are found in the source: wherever a phrase, a rule, a kind of problem or a refusal is made, its template
must be a constant. Names and titles are asked of the games themselves, and the pages of `templates/` of Jinja.
"""

import ast
import sys
from collections.abc import Iterator
from importlib.resources import files
from inspect import signature
from io import BytesIO
from pathlib import Path
from pkgutil import walk_packages
from string import Formatter

import click
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment
from jinja2.nodes import Call, Const, Name
from msgspec import Struct

import domain
import events
import service
from domain.catalogue import GAMES
from domain.errors import DomainError, Rule
from domain.table import WORDING
from domain.wording import Phrase
from events.errors import ABSENT
from service.catalogue import Kind
from service.language import DOMAIN, LANGUAGES, title_of

_SERVICE = Path(str(files("service")))
FOLDER = _SERVICE / "locale"
_SPECS = {"", "a"}
"""The format specs that a translation may use; those with a bar are the words of English after a number."""


class Message(Struct, frozen=True, order=True):
    """A template with its context, and the file in which it stands."""

    file: str
    template: str
    context: str = ""


class UnclearTemplate(Exception):
    """A refusal is made with a template that is no constant, so that it cannot be found; says where."""


def messages() -> list[Message]:
    """All messages, in a stable order."""
    found = {*_in_the_source(), *_of_the_games(), *_of_the_pages()}
    found |= {Message("events/errors.py", template) for template in ABSENT.values()}
    return sorted(found)


def _of_the_games() -> Iterator[Message]:
    for game in GAMES.values():
        file = f"domain/{game.id.replace('-', '_')}/wording.py"
        yield Message(file, game.title, title_of(game).context)
        for names in game.wording.names.values():
            yield from (Message(file, name.template, name.context) for name in names.values())
    for names in WORDING.names.values():
        yield from (Message("domain/table/wording.py", name.template, name.context) for name in names.values())


def _of_the_pages() -> Iterator[Message]:
    for page in sorted((_SERVICE / "templates").glob("*.html")):
        for call in Environment(autoescape=True).parse(page.read_text()).find_all(Call):
            if isinstance(call.node, Name) and call.node.name == "text" and isinstance(call.args[0], Const):
                yield Message(f"service/templates/{page.name}", str(call.args[0].value))


def _in_the_source() -> Iterator[Message]:
    for package in (domain, events, service):
        for module in walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.endswith(".__main__"):
                __import__(module.name)
    refusals = {refusal.__name__: refusal for refusal in _family(DomainError)}
    for package in (domain, events, service):
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            yield from _Source(path, refusals).messages()


def _family(root: type[DomainError]) -> Iterator[type[DomainError]]:
    yield root
    for below in root.__subclasses__():
        yield from _family(below)


class _Source:
    """One source file."""

    def __init__(self, path: Path, refusals: dict[str, type[DomainError]]) -> None:
        self._file = path.relative_to(_SERVICE.parent).as_posix()
        self._tree = ast.parse(path.read_text())
        self._places = {name: place for name, refusal in refusals.items() if (place := _place(refusal)) is not None}
        self._refusals = refusals

    def messages(self) -> Iterator[Message]:
        """What its calls say."""
        yield from self._below(self._tree, {}, None)

    def _below(self, node: ast.AST, says: dict[str, list[str]], owner: str | None) -> Iterator[Message]:
        """`says` holds the texts that names stand for here, `owner` is the class around."""
        if isinstance(node, ast.FunctionDef):
            says = {**says, **_assigned(node)}
        if isinstance(node, ast.ClassDef):
            owner = node.name
        if isinstance(node, ast.Call):
            yield from self._of_call(node, says, owner)
        for below in ast.iter_child_nodes(node):
            yield from self._below(below, says, owner)

    def _of_call(self, call: ast.Call, says: dict[str, list[str]], owner: str | None) -> Iterator[Message]:
        name = _called(call)
        if name == Phrase.__name__:
            yield from self._of_phrase(call)
        elif name == Rule.__name__:
            yield from self._constants(call.args[1], says)
        elif name == Kind.__name__:
            for argument in call.args[2:]:
                yield from self._constants(argument, says)
        elif name in self._places:
            yield from self._of_refusal(call, self._places[name], says)
        elif owner in self._refusals and name in {"cls", "super().__init__"}:
            base = self._refusals[owner].__mro__[name != "cls"]
            place = _place(base)
            if place is not None:
                yield from self._of_refusal(call, place, says)

    def _of_phrase(self, call: ast.Call) -> Iterator[Message]:
        given = dict(enumerate(call.args)) | {keyword.arg: keyword.value for keyword in call.keywords}
        template, context = given.get(0), given.get(2, given.get("context"))
        if isinstance(template, ast.Constant):
            known = context.value if isinstance(context, ast.Constant) else ""
            yield Message(self._file, str(template.value), str(known))

    def _of_refusal(self, call: ast.Call, place: int, says: dict[str, list[str]]) -> Iterator[Message]:
        if len(call.args) <= place or any(isinstance(argument, ast.Starred) for argument in call.args):
            return
        argument = call.args[place]
        passed_on = isinstance(argument, ast.Attribute | ast.Subscript) or ast.unparse(argument) == "template"
        if not passed_on:
            yield from self._constants(argument, says)

    def _constants(self, argument: ast.expr, says: dict[str, list[str]]) -> Iterator[Message]:
        if isinstance(argument, ast.Constant):
            yield Message(self._file, str(argument.value))
        elif isinstance(argument, ast.Name) and argument.id in says:
            yield from (Message(self._file, text) for text in says[argument.id])
        else:
            raise UnclearTemplate(f"{self._file}:{argument.lineno}: {ast.unparse(argument)}")


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func)


def _place(refusal: type[DomainError]) -> int | None:
    """Which argument of its construction is the template, counted without `self`; None when it has its own."""
    names = list(signature(refusal).parameters) if issubclass(refusal, DomainError) else []
    return names.index("template") if "template" in names else None


def _assigned(function: ast.FunctionDef) -> dict[str, list[str]]:
    """The texts given to each name in a function."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for target in node.targets:
                found.setdefault(ast.unparse(target), []).append(node.value.value)
    return found


def catalogue(tag: str) -> Catalog:
    """The catalogue of a language as it stands in its file."""
    with _file(tag, "po").open("rb") as text:
        return read_po(text, locale=tag, domain=DOMAIN)


def updated(tag: str) -> Catalog:
    """The same with exactly the messages of the code: new ones are empty, what is no longer said is gone."""
    known = catalogue(tag)
    made = Catalog(locale=tag, domain=DOMAIN, project="Annales", version="1", charset="utf-8")
    made.header_comment, made.creation_date = known.header_comment, known.creation_date
    made.fuzzy = False
    made.revision_date, made.last_translator, made.language_team = known.revision_date, "Annales", known.language_team
    for message in messages():
        old = known.get(message.template, message.context or None)
        made.add(message.template, old.string if old else "", [(message.file, 0)], context=message.context or None)
    return made


def faults(tag: str) -> list[str]:
    """What is wrong with the catalogue of a language; nothing when it is complete and compiled."""
    known, wanted = catalogue(tag), {(message.template, message.context or None) for message in messages()}
    entries = {(str(entry.id), entry.context): str(entry.string or "") for entry in known if entry.id}
    found = [f"missing: {template}" for template, context in wanted if not entries.get((template, context))]
    found += [f"unused: {key[0]}" for key in entries.keys() - wanted]
    found += [f"fuzzy: {entry.id}" for entry in known if entry.id and entry.fuzzy]
    found += [f"other placeholders: {key[0]}" for key, said in entries.items() if said and not _fits(key[0], said)]
    if _file(tag, "mo").read_bytes() != _compiled(known):
        found.append("not compiled")
    return sorted(found)


def _fits(template: str, translated: str) -> bool:
    """Whether a translation has the placeholders of its template, and no format spec that we do not know."""
    try:
        wanted, found = _placeholders(template), _placeholders(translated)
    except ValueError:
        return False
    return wanted.keys() == found.keys() and set().union(*found.values()) <= _SPECS


def _placeholders(template: str) -> dict[str, set[str]]:
    """Each placeholder with its format specs. Raises ValueError for what is no template."""
    found: dict[str, set[str]] = {}
    for _, field, spec, _ in Formatter().parse(template):
        if field is not None:
            found.setdefault(field, set()).add(spec or "")
    return found


def write(tag: str) -> None:
    """Bring the catalogue of a language up to date with the code, and compile it."""
    made = updated(tag)
    with _file(tag, "po").open("wb") as text:
        write_po(text, made, width=120, include_lineno=False)
    _file(tag, "mo").write_bytes(_compiled(catalogue(tag)))


def _compiled(made: Catalog) -> bytes:
    compiled = BytesIO()
    write_mo(compiled, made)
    return compiled.getvalue()


def _file(tag: str, ending: str) -> Path:
    return FOLDER / tag / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


@click.command()
@click.option("--check/--write", "check", required=True, help="Say what is wrong with the catalogues, or write them.")
def main(*, check: bool) -> None:
    """Keep the catalogues of all languages but English."""
    for tag in list(LANGUAGES)[1:]:
        if not check:
            write(tag)
        for fault in (wrong := faults(tag)):
            click.echo(f"{tag}: {fault}", err=True)
        if check and wrong:
            sys.exit(1)


if __name__ == "__main__":
    main()
