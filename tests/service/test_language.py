"""English and Hungarian: which one is answered, that nothing is missing, and that events are told and nothing else."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from marshmallow import Schema
from marshmallow.fields import Field
from marshmallow.validate import Validator

from domain.canonical import canonical
from domain.catalogue import GAMES
from domain.wording import Clauses, Phrase, PlayerName
from events import envelope
from service import messages
from service.hungarian import article
from service.language import ENGLISH, LANGUAGES, players_in
from service.libraries import recognised
from service.schemas import Strict
from tests.service.client import Client, House, Seat, problem

HUNGARIAN = LANGUAGES["hu"]


def _in(language: str) -> dict[str, str]:
    return {"Accept_Language": language}


# ---- which language


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("hu", "hu"),
        ("hu-HU", "hu"),
        ("HU", "hu"),
        ("en", "en"),
        ("en-GB,hu;q=0.9", "en"),
        ("en;q=0.4, hu;q=0.8", "hu"),
        ("de, hu;q=0.5", "hu"),
        ("de", "en"),
        ("*", "en"),
        ("*, hu;q=0.9", "hu"),
        ("hu_HU", "en"),
        ("hu;q=0", "en"),
        ("hu;q=x, ,;", "en"),
        ("", "en"),
        ("\xff", "en"),
    ],
)
def test_the_caller_gets_the_language_that_they_like_best(visitor: Client, asked: str, answered: str) -> None:
    response = visitor.get("/v1/games/" + "0" * 24, **_in(asked))
    assert response.headers["Content-Language"] == answered
    title = {"en": "Not found", "hu": "Nem található"}[answered]
    assert problem(response, 404, "not-found")["title"] == title
    assert "Accept-Language" in response.headers["Vary"]


def test_who_asks_for_no_language_is_answered_in_english(visitor: Client) -> None:
    response = visitor.get("/v1/games/" + "0" * 24)
    assert response.headers["Content-Language"] == "en"
    assert problem(response, 404, "not-found")["detail"] == "There is no such game here."


# ---- problems


def test_a_refusal_by_the_rules_is_told_in_hungarian(ada: Client) -> None:
    game = ada.create("kreta")
    response = game.give("place_ship", {"province": "candia"}, Accept_Language="hu")
    told = problem(response, 422, "wrong_action")
    assert told["title"] == "Ellentétes a játék szabályaival"
    assert told["detail"].startswith("Most nem ez következik: „place_ship”")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "A kötelező mező hiányzik."),
        ({"ruleset": "kreta", "seats": []}, "A hossza 1 és 8 közé essen."),
        ({"ruleset": "kreta", "seats": [{"kind": "cat"}]}, "Ezek egyike legyen: me, open, bot."),
        ({"ruleset": "kreta", "seats": [{"kind": "me"}], "pace": 1}, "Ismeretlen mező."),
        (
            {"ruleset": "kreta", "seats": [{"kind": "me"}] * 2, "options": {"first_seat": "x"}},
            "A várt típus `int`, a kapott `str`.",
        ),
    ],
)
def test_what_libraries_say_is_told_in_hungarian_too(ada: Client, body: Any, detail: str) -> None:
    told = problem(ada.post("/v1/games", body, **_in("hu")), 400, "malformed-request")
    assert told["detail"] == detail
    assert all(error["detail"][0].isupper() for error in told.get("errors", []))


def test_a_body_that_is_no_json_is_told_in_hungarian(ada: Client) -> None:
    response = ada.call("POST", "/v1/games", raw=b'{"a" 1}', headers={"Accept-Language": "hu"})
    assert problem(response, 400, "malformed-request")["detail"].startswith("A törzs nem JSON: hibás alakú JSON:")


def test_what_no_route_answers_is_told_in_hungarian(visitor: Client) -> None:
    response = visitor.call("PUT", "/v1/games", headers={"Accept-Language": "hu"})
    assert problem(response, 405, "method-not-allowed")["title"] == "Ez a metódus itt nem megengedett"


def test_what_a_library_may_say_one_day_stays_as_it_is() -> None:
    assert recognised("The moon is blue.") == "The moon is blue."


def test_texts_of_callers_are_put_into_no_template_twice() -> None:
    text = "Object contains unknown field `{limit} Invalid value {x}`"
    known = recognised(text)
    assert isinstance(known, Phrase)
    assert ENGLISH.say(known) == text


def _fields(schema: type[Schema]) -> list[Field[Any]]:
    return list(schema().fields.values())


def _sayings(field: Field[Any]) -> set[str]:
    """What marshmallow may say of a field."""
    said = {str(message) for message in field.error_messages.values()}
    for validator in field.validators:
        assert isinstance(validator, Validator)
        forms = ("default_message", "message_min", "message_max", "message_all", "message_equal")
        own = getattr(validator, "error", None)
        said |= {own} if own else {str(getattr(validator, form)) for form in forms if hasattr(validator, form)}
    return said


def test_all_that_marshmallow_can_say_of_our_schemas_is_known() -> None:
    schemas = list(Strict.__subclasses__())
    for schema in schemas:
        schemas += schema.__subclasses__()
        for field in _fields(schema):
            for said in _sayings(field):
                assert isinstance(recognised(said), Phrase), (schema, said)


def test_the_pages_of_problems_are_in_both_languages(visitor: Client) -> None:
    english, hungarian = visitor.get("/problems/rule-violation"), visitor.get("/problems/rule-violation", **_in("hu"))
    assert '<html lang="en">' in english.text
    assert "What to do" in english.text
    assert '<html lang="hu">' in hungarian.text
    assert "Mi a teendő" in hungarian.text
    assert "Kréta" in hungarian.text
    assert "Problémák" in visitor.get("/problems", **_in("hu")).text


# ---- names


def test_a_ruleset_gives_names_titles_and_rules_in_the_language_of_the_caller(visitor: Client) -> None:
    english = visitor.get("/v1/rulesets/kreta")
    hungarian = visitor.get("/v1/rulesets/kreta", **_in("hu"))
    assert english.json is not None
    assert hungarian.json is not None
    assert (english.json["title"], hungarian.json["title"]) == ("Kreta", "Kréta")
    assert english.json["names"]["character"]["castellan"] == "castellan"
    assert hungarian.json["names"]["character"]["castellan"] == "toronyőr"
    assert hungarian.json["names"]["province"]["san_basilio"] == "San Basilio"
    rules = {rule["code"]: rule["says"] for rule in hungarian.json["rulebook"]}
    assert rules["place_or_move"].startswith("Egy kártyával")
    assert english.headers["ETag"] != hungarian.headers["ETag"]
    assert hungarian.headers["Content-Language"] == "hu"
    same = visitor.get("/v1/rulesets/kreta", If_None_Match=hungarian.headers["ETag"], **_in("hu"))
    assert same.status_code == 304
    titles = {item["title"] for item in visitor.get("/v1/rulesets", **_in("hu")).json["items"]}  # type: ignore[index]
    assert "Kréta" in titles


@pytest.mark.parametrize("ruleset", sorted(GAMES))
def test_every_name_is_a_word_in_both_languages(visitor: Client, ruleset: str) -> None:
    for language in LANGUAGES:
        page = visitor.get(f"/v1/rulesets/{ruleset}", **_in(language)).json
        assert page is not None
        for names in page["names"].values():
            for name in names.values():
                assert name
                assert not set("{}|_") & set(name)


# ---- events in words


def _described(seat: Seat, language: str = "en") -> list[Any]:
    response = seat.get("events?describe=true", **_in(language))
    assert response.status_code == 200
    assert response.json is not None
    items: list[Any] = response.json["items"]
    return items


def test_events_are_told_beside_their_envelopes(ada: Client) -> None:
    game = ada.create("kreta")
    plain, told = game.see("events")["items"], _described(game)
    assert told[0]["description"] == "Ada sets up a game with 2 seats."
    assert [event.pop("description") for event in told][-1].startswith("The board is laid; Seat 0 begins.")
    assert told == plain


def test_the_envelope_stays_canonical_in_front_of_the_sentence(ada: Client) -> None:
    game = ada.create("toy")
    body = game.get("events?describe=true&limit=1").data
    line = body.removeprefix(b'{"items":[').partition(b',"description":')[0] + b"}"
    sealed = envelope.decode(line)
    assert canonical(sealed) == line
    assert envelope.event_digest(sealed) == sealed.digest


def test_events_are_told_in_hungarian(ada: Client) -> None:
    game = ada.create("kreta")
    game.do("play_character", {"character": "admiral"})
    game.do("place_ship", {"province": "candia"})
    told = [event["description"] for event in _described(game, "hu")]
    assert told[0] == "Ada új játszmát hoz létre 2 hellyel."
    assert "A 0. hely karakterkártyát játszik ki: admirális." in told
    assert "A 0. hely hajót helyez Candia kikötőjébe." in told


def test_who_does_not_ask_gets_no_sentences(ada: Client) -> None:
    game = ada.create("toy")
    for query in ("events", "events?describe=false"):
        response = game.get(query, **_in("hu"))
        assert b'"description"' not in response.data
        assert "Content-Language" not in response.headers


def test_describe_is_true_or_false(ada: Client) -> None:
    told = problem(ada.create("toy").get("events?describe=yes"), 400, "malformed-request")
    assert told["parameter"] == "describe"


@pytest.mark.parametrize("media_type", ["application/x-ndjson", "text/event-stream"])
def test_streams_tell_events_like_pages(ada: Client, media_type: str) -> None:
    game = ada.create("toy")
    page = _described(game, "hu")
    response = game.get(f"events?describe=true&limit={len(page)}", Accept=media_type, **_in("hu"))
    assert response.headers["Content-Language"] == "hu"
    assert {"Accept", "Authorization", "Accept-Language"} <= set(response.vary)
    lines = [line.removeprefix("data: ") for line in response.text.splitlines() if '"description"' in line]
    assert [msgspec.json.decode(line) for line in lines] == page


def test_a_sealed_part_gives_a_sentence_without_it(ada: Client, bob: Client, visitor: Client) -> None:
    game = ada.create("toy", "mo")
    bob.at(game).do("join_game", {"seat": 1})
    game.do("peek", seat=0)

    def last(seat: Seat) -> str:
        peeked = [event for event in _described(seat) if event["type"] == "toy.peeked"]
        return str(peeked[-1]["description"])

    assert last(game).startswith("Seat 0 peeks: card ")
    assert last(bob.at(game)) == last(visitor.at(game)) == "Seat 0 peeks."


def test_a_player_who_is_gone_is_somebody(ada: Client, bob: Client) -> None:
    game = ada.create("toy", "mo")
    bob.at(game).do("join_game", {"seat": 1})
    assert "Seat 1 is taken by Bob." in [event["description"] for event in _described(game)]
    assert bob.call("DELETE", "/v1/players/me").status_code == 204
    assert "Seat 1 is taken by somebody." in [event["description"] for event in _described(game)]


@pytest.mark.parametrize("ruleset", sorted(GAMES))
def test_a_whole_game_of_bots_is_told(house: House, ada: Client, ruleset: str) -> None:
    game = ada.create(ruleset, "bb")
    house.do_owed(game.game)
    after = 0
    while True:
        page = ada.get(f"{game.path}/events?describe=true&limit=1000&after={after}", **_in("hu")).json
        assert page is not None
        assert all(item["description"].endswith(".") for item in page["items"])
        if page["next"] is None:
            break
        after = page["next"]
    assert page["items"][-1]["description"].startswith("A játszma magja")


# ---- the catalogues


@pytest.mark.parametrize("tag", [tag for tag in LANGUAGES if tag != "en"])
def test_a_catalogue_has_exactly_what_the_code_says_and_is_compiled(tag: str) -> None:
    assert messages.faults(tag) == []


def _catalogue(folder: Path, *entries: str) -> None:
    (folder / "hu" / "LC_MESSAGES").mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Language: hu\\nContent-Type: text/plain; charset=utf-8\\n"\n'
    text = "\n".join([head, *entries])
    (folder / "hu" / "LC_MESSAGES" / "annales.po").write_text(text, "utf-8")
    (folder / "hu" / "LC_MESSAGES" / "annales.mo").write_bytes(b"")


def test_a_catalogue_that_lacks_something_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    _catalogue(
        tmp_path,
        'msgid "The game begins."\nmsgstr ""\n',
        'msgid "{seat} ends the turn."\nmsgstr "{seta} befejezi."\n',
        'msgid "There is no building site {site}."\nmsgstr "Nincs {site:b}."\n',
        'msgid "The time of {seat} is up."\nmsgstr "Lejárt {seat"\n',
        '#, fuzzy\nmsgid "Code"\nmsgstr "Kód"\n',
        'msgid "Once said"\nmsgstr "Egykor"\n',
    )
    found = messages.faults("hu")
    assert "missing: The game begins." in found
    assert "missing: Problems" in found
    assert "unused: Once said" in found
    assert "fuzzy: Code" in found
    assert "not compiled" in found
    wrong = [fault for fault in found if fault.startswith("other placeholders")]
    assert len(wrong) == 3


def test_writing_keeps_what_is_said_and_drops_what_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    _catalogue(tmp_path, 'msgid "Code"\nmsgstr "Kód"\n', 'msgid "Once said"\nmsgstr "Egykor"\n')
    messages.write("hu")
    kept = messages.catalogue("hu")
    said = {entry.id: entry.string for entry in kept}
    assert said["Code"] == "Kód"
    assert "Once said" not in said
    assert said["The game begins."] == ""
    assert "not compiled" not in messages.faults("hu")


# ---- Hungarian


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kút", "a"),
        ("őrtorony", "az"),
        ("Amfiteátrum A3", "az"),
        ("„egy”", "az"),
        ("0. hely", "a"),
        ("1. hely", "az"),
        ("5. hely", "az"),
        ("10.", "a"),
        ("11", "a"),
        ("52", "az"),
        ("100", "a"),
        ("500", "az"),
        ("1000", "az"),
        ("1500000", "az"),
        ("10000", "a"),
        ("", "a"),
    ],
)
def test_the_article_follows_the_sound(text: str, expected: str) -> None:
    assert article(text) == expected


def test_players_are_found_wherever_a_phrase_names_them() -> None:
    inner = Phrase("{who}", {"who": PlayerName("b")})
    phrase = Phrase("{a}{b}{c}", {"a": PlayerName("a"), "b": (inner, 3), "c": Clauses((inner,))})
    assert list(players_in(phrase)) == ["a", "b", "b"]
