"""What the table, the log and the workers take for granted of a game, checked on every game of the catalogue."""

import math
import random
import re
from collections.abc import Iterator
from string import Formatter
from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import table
from domain.canonical import canonical
from domain.catalogue import GAMES
from domain.chance import SeededChance, Shuffle
from domain.errors import BadCommand, RuleViolation
from domain.game import HOUSE, NOBODY, Command
from domain.table import is_reveal
from events.codec import AnyGame, EventCodec, decode_command, encode_command, shuffles
from tests.support.examples import examples
from tests.support.playing import Playthrough, replayed
from workers.bots import HORIZON

SLUG = re.compile(r"[a-z]+(-[a-z]+)*")
SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
whole_games = settings(max_examples=examples(8))
SEEDS = st.integers(0, 2**32)


def chance(seed: int) -> SeededChance:
    return SeededChance(lambda: seed.to_bytes(32, "big"), "other", (), 0)


def positions(game: AnyGame, seed: int, every: int = 1) -> Iterator[Playthrough]:
    """A whole random game, at every so many commands and at its end; the number of seats follows from `seed`."""
    played = Playthrough(game, game.seats[seed % len(game.seats)], seed=seed)
    yield played
    for number, _ in enumerate(played.steps()):
        if number % every == 0:
            yield played
    yield played


# Names and numbers


@every_game
def test_the_catalogue_knows_each_game_by_its_id(game: AnyGame) -> None:
    assert GAMES[game.id] is game
    assert SLUG.fullmatch(game.id)
    assert game.title
    assert game.rules >= 1
    assert game.view_schema >= 1
    assert len(game.seats) >= 1
    assert game.seats[0] >= 1


@every_game
def test_event_types_begin_with_the_game_and_are_each_named_once(game: AnyGame) -> None:
    names = [event_type.type for event_type in game.event_types]
    assert len(set(names)) == len(names)
    for name in names:
        prefix, _, what = name.partition(".")
        assert prefix == game.id.replace("-", "_")
        assert SNAKE.fullmatch(what)


def test_no_two_games_share_an_event_type_and_none_takes_one_of_the_table() -> None:
    names = [event_type.type for game in GAMES.values() for event_type in game.event_types]
    names += [event_type.type for event_type in table.EVENTS]
    assert len(set(names)) == len(names)


@every_game
def test_each_event_type_has_a_schema_number_and_reveals_fields_of_its_own(game: AnyGame) -> None:
    for event_type in game.event_types:
        assert event_type.schema >= 1
        assert set(event_type.reveals) <= set(event_type.__struct_fields__) - {"private"}


@every_game
def test_commands_are_named_once_and_apart_from_those_of_the_table(game: AnyGame) -> None:
    commands = [*game.command_types, *game.house_command_types]
    names = [command_type.type for command_type in commands]
    reserved = {*table.COMMANDS, *table.HOUSE_COMMANDS, *table.FOUNDING_COMMANDS}
    assert len(set(names)) == len(names)
    assert all(map(SNAKE.fullmatch, names))
    assert not reserved & set(names)


@every_game
def test_every_rule_has_a_code_of_its_own_a_sentence_and_a_source(game: AnyGame) -> None:
    codes = [rule.code for rule in game.rulebook]
    assert codes
    assert len(set(codes)) == len(codes)
    for rule in game.rulebook:
        assert SNAKE.fullmatch(rule.code)
        assert rule.says.endswith(".")
        assert rule.source
        names = [name for _, name, _, _ in Formatter().parse(rule.says) if name is not None]
        assert all(name.isidentifier() for name in names)


@every_game
def test_each_edition_has_a_digest_and_the_default_one_is_known(game: AnyGame) -> None:
    assert all(DIGEST.fullmatch(digest) for digest in game.editions.values())
    assert game.options_type().edition in game.editions


@every_game
def test_all_that_clients_meet_has_a_json_schema_without_floats(game: AnyGame) -> None:
    types = [game.options_type, game.view_type, *game.command_types, *game.event_types]
    _, components = msgspec.json.schema_components(types)
    text = msgspec.json.encode(components).decode()
    assert '"type":"number"' not in text


@every_game
def test_the_reference_data_is_plain_json(game: AnyGame) -> None:
    reference = game.reference()
    assert reference
    assert msgspec.json.decode(msgspec.json.encode(reference)) == reference


# Options


@every_game
def test_the_default_options_suit_every_number_of_seats(game: AnyGame) -> None:
    for seats in game.seats:
        game.check(seats, game.options_type())


@every_game
def test_options_go_through_json(game: AnyGame) -> None:
    options = game.options_type()
    assert msgspec.json.decode(msgspec.json.encode(options), type=game.options_type) == options


@every_game
def test_another_edition_than_those_known_makes_no_table(game: AnyGame) -> None:
    command = table.CreateGame(
        ruleset=game.id, seats=(table.MySeat(),) * game.seats[0], options={"edition": "no such edition"}
    )
    with pytest.raises(BadCommand) as refusal:
        table.create(game, command, "ada", bytes(32))
    assert refusal.value.pointer == "/options/edition"


# Whole games


@every_game
@whole_games
@given(seed=SEEDS)
def test_every_event_of_whole_games_goes_through_its_json_and_replays_to_the_same_state(
    game: AnyGame, seed: int
) -> None:
    codec = EventCodec(game.event_types)
    played = Playthrough(game, game.seats[seed % len(game.seats)], seed=seed).play()
    for event in played.events:
        assert type(event) in game.event_types
        data, parts = codec.encode(event)
        line = canonical([data, parts])
        read = codec.decode(event.type, event.schema, *msgspec.json.decode(line))
        assert read == event
        assert canonical(list(codec.encode(read))) == line
    assert replayed(game, played.events) == played.state


@every_game
@whole_games
@given(seed=SEEDS)
def test_states_views_and_commands_go_through_json(game: AnyGame, seed: int) -> None:
    commands = {command_type.type: command_type for command_type in game.command_types}
    for at in positions(game, seed, every=9):
        assert msgspec.json.decode(msgspec.json.encode(at.state), type=game.state_type) == at.state
        for seat in (None, *range(at.seats)):
            view = game.view(at.state, seat)
            assert msgspec.json.decode(msgspec.json.encode(view), type=game.view_type) == view
        opened = game.view(at.state, None, reveal=True)
        assert msgspec.json.decode(canonical(opened), type=game.view_type) == opened
        for _, command in at.choices():
            sent = msgspec.json.decode(msgspec.json.encode(encode_command(command)))
            assert decode_command(commands, command.type, sent) == command


@every_game
@whole_games
@given(seed=SEEDS)
def test_until_the_end_somebody_may_act_and_every_listed_command_is_accepted(game: AnyGame, seed: int) -> None:
    for at in positions(game, seed, every=5):
        awaited = tuple(game.to_act(at.state))
        assert list(awaited) == sorted(set(awaited))
        assert SNAKE.fullmatch(game.phase(at.state))
        assert game.owed(at.state) is None
        assert bool(awaited) != at.is_over
        for seat in range(at.seats):
            listed = list(game.legal_commands(at.state, seat))
            assert bool(listed) == (seat in awaited)
            assert len(set(map(_as_sent, listed))) == len(listed)
            for command in listed:
                assert game.decide(at.state, seat, command, chance(seed))


@every_game
@whole_games
@given(seed=SEEDS)
def test_what_is_not_listed_is_refused_by_a_rule_of_the_rulebook(game: AnyGame, seed: int) -> None:
    """Commands that were listed at any other moment of the game stand for all there are."""
    once: dict[bytes, Command] = {}
    for at in positions(game, seed, every=3):
        once |= {_as_sent(command): command for _, command in at.choices()}
    rng = random.Random(seed)
    for at in positions(game, seed, every=11):
        for seat in game.to_act(at.state):
            listed = {_as_sent(command) for command in game.legal_commands(at.state, seat)}
            for sent in rng.sample(sorted(once), min(20, len(once))):
                if sent not in listed:
                    _assert_refused(game, at.state, seat, once[sent])


def _assert_refused(game: AnyGame, state: Any, seat: int, command: Command) -> None:
    with pytest.raises(RuleViolation) as refusal:
        game.decide(state, seat, command, chance(0))
    assert refusal.value.rule in game.rulebook
    assert refusal.value.detail
    pointer = refusal.value.pointer or "/data"
    fields = type(command).__struct_fields__
    assert pointer in {"/type", "/data"} or pointer.split("/")[:3] in [["", "data", name] for name in fields]


def _as_sent(command: Command) -> bytes:
    return canonical([command.type, encode_command(command)])


@every_game
@whole_games
@given(seed=SEEDS)
def test_the_house_owes_at_most_a_few_steps_in_a_row_and_gives_its_own_commands(game: AnyGame, seed: int) -> None:
    for at in positions(game, seed, every=3):
        for seat, command in at.choices()[:5]:
            luck, state = chance(seed), at.state
            for event in game.decide(state, seat, command, luck):
                state = game.evolve(state, event)
            steps = 0
            while (owed := game.owed(state)) is not None:
                assert type(owed) in game.house_command_types
                assert tuple(game.to_act(state)) == ()
                assert not [seat for seat in range(at.seats) if game.legal_commands(state, seat)]
                for event in game.decide(state, HOUSE, owed, luck):
                    state = game.evolve(state, event)
                steps += 1
            assert steps <= HORIZON


@every_game
@whole_games
@given(seed=SEEDS)
def test_every_draw_is_recorded_in_the_order_of_drawing(game: AnyGame, seed: int) -> None:
    played = Playthrough(game, game.seats[seed % len(game.seats)], seed=seed).play()
    recorded = [shuffle for event in played.events for shuffle in shuffles(event)]
    assert [shuffle.draw for shuffle in recorded] == list(range(played.chance.draws))
    for shuffle in recorded:
        assert sorted(map(str, shuffle.items)) == sorted(map(str, shuffle.order))
        assert isinstance(shuffle, Shuffle)


@every_game
@whole_games
@given(seed=SEEDS)
def test_deciding_changes_nothing_and_the_same_chance_gives_the_same_events(game: AnyGame, seed: int) -> None:
    for at in positions(game, seed, every=10):
        before = msgspec.json.encode(at.state)
        for seat, command in at.choices()[:10]:
            once, again = (list(game.decide(at.state, seat, command, chance(seed))) for _ in "ab")
            assert once == again
        assert msgspec.json.encode(at.state) == before


@every_game
@whole_games
@given(seed=SEEDS)
def test_the_result_is_there_at_the_end_and_ranks_every_seat_once(game: AnyGame, seed: int) -> None:
    for at in positions(game, seed, every=20):
        result = game.result(at.state)
        assert len(game.scores(at.state)) == at.seats
        if not at.is_over:
            assert result is None
            continue
        assert result is not None
        assert tuple(result.scores) == tuple(game.scores(at.state))
        assert sorted(seat for group in result.ranking for seat in group) == list(range(at.seats))
        assert result.winners == result.ranking[0]
        assert max(result.scores) == result.scores[result.winners[0]]


# What a seat knows


@every_game
@whole_games
@given(seed=SEEDS)
def test_an_imagined_state_looks_the_same_to_the_seat_and_offers_the_same_commands(game: AnyGame, seed: int) -> None:
    for at in positions(game, seed, every=9):
        for seat in range(at.seats):
            view = game.view(at.state, seat)
            imagined = game.imagine(view, chance(seed))
            assert game.view(imagined, seat) == view
            assert list(game.legal_commands(imagined, seat)) == list(game.legal_commands(at.state, seat))
            assert tuple(game.to_act(imagined)) == tuple(game.to_act(at.state))
            assert math.isfinite(game.evaluate(imagined, seat))
            assert game.imagine(view, chance(seed)) == imagined


@every_game
@whole_games
@given(seed=SEEDS)
def test_a_redrawn_state_looks_the_same_to_all_seats_whose_knowledge_was_kept(game: AnyGame, seed: int) -> None:
    rng = random.Random(seed)
    for at in positions(game, seed, every=9):
        seats = [seat for seat in range(at.seats) if rng.random() < 0.5]
        redrawn = game.redraw(at.state, seats, chance(seed))
        for seat in [None, *seats]:
            assert game.view(redrawn, seat) == game.view(at.state, seat)
        assert msgspec.json.decode(msgspec.json.encode(redrawn), type=game.state_type) == redrawn
        for seat, command in [(seat, command) for seat, command in at.choices() if seat in seats][:5]:
            assert game.decide(redrawn, seat, command, chance(seed))


@every_game
@whole_games
@given(seed=SEEDS)
def test_what_is_hidden_shows_when_all_is_opened(game: AnyGame, seed: int) -> None:
    """Two states that differ look different in the opened view: the digest of the final board covers everything."""
    for at in positions(game, seed, every=9):
        redrawn = game.redraw(at.state, (), chance(seed + 1))
        opened, other = (game.view(state, None, reveal=True) for state in (at.state, redrawn))
        assert (opened == other) == (at.state == redrawn)


@every_game
@whole_games
@given(seed=SEEDS)
def test_an_event_that_changes_what_a_foreign_seat_sees_by_a_secret_says_that_it_reveals(
    game: AnyGame, seed: int
) -> None:
    """Decide in two worlds that look the same to a seat: what comes before a reveal is the same in both."""
    rng = random.Random(seed)
    for at in positions(game, seed, every=6):
        if at.is_over:
            break
        seat, command = rng.choice(at.choices())
        other = game.redraw(at.state, [seat], chance(seed))
        for event, twin in zip(
            game.decide(at.state, seat, command, chance(seed)),
            game.decide(other, seat, command, chance(seed)),
            strict=False,
        ):
            if is_reveal(event):
                assert is_reveal(twin)
                assert type(event) is type(twin)
                assert _hidden(event) == _hidden(twin)
                break
            assert _hidden(event) == _hidden(twin)


def _hidden(event: Any) -> tuple[dict[str, Any], list[tuple[int, ...]]]:
    """The public fields of an event that it does not reveal, and who reads its parts."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__ if name not in {*event.reveals, "private"}}
    return fields, [part.seats for part in getattr(event, "private", ())]


@every_game
def test_the_parts_that_nobody_reads_are_for_nobody(game: AnyGame) -> None:
    for seats in game.seats:
        played = Playthrough(game, seats, seed=seats).play()
        readers = {part.seats for event in played.events for part in getattr(event, "private", ())}
        assert all(part == NOBODY or set(part) <= set(range(seats)) for part in readers)


@every_game
def test_private_parts_are_declared_as_such(game: AnyGame) -> None:
    for event_type in game.event_types:
        if "private" in event_type.__struct_fields__:
            assert "Part" in str(get_type_hints(event_type)["private"])
