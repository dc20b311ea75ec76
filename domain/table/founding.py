"""How a game begins: from nothing, or from how another game stood."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, assert_never

import msgspec
from msgspec import Struct

from domain.canonical import canonical
from domain.chance import Chance, Item, Shuffle
from domain.errors import BadCommand, NotAllowed, WrongMoment
from domain.game import NOBODY, Options, Part
from domain.table.commands import BotSeat, Clock, CreateGame, ForkGame, KeptSeat, MySeat, OpenSeat, Parent
from domain.table.events import ForkSecret, GameCreated, GameForked, SeatSetup, Seed
from domain.table.state import AnyGame, Position, Seat, Table

AnySeat = MySeat | OpenSeat | KeptSeat | BotSeat
Seats = Sequence[AnySeat]


class Ancestor(Struct, frozen=True):
    """The game that a fork begins from: how it stood at the version asked for, the digest there, its table as it is now."""

    position: Position[Any]
    head: str
    table: Table


def create(game: AnyGame, command: CreateGame, creator: str, seed: bytes) -> GameCreated:
    """Set up a table. Raises BadCommand for options or seats that the ruleset does not offer."""
    options = read_options(game, command.options)
    _check_seats(game, command.seats)
    game.check(len(command.seats), options)
    _check_clock(command.clock)
    if command.rated:
        _check_rated(command)
    return GameCreated(
        ruleset=game.id,
        edition=options.edition,
        edition_digest=game.editions[options.edition],
        options=_plain(options),
        seats=tuple(_seat_setup(seat, creator) for seat in command.seats),
        creator=creator,
        visibility=command.visibility,
        undo=command.undo,
        rated=command.rated,
        start=command.start,
        clock=command.clock,
        rematch_of=command.rematch_of,
        commitment=commitment_to(seed),
        private=(Part(seats=NOBODY, data=Seed(seed=seed.hex())),),
    )


def fork(game: AnyGame, command: ForkGame, ancestor: Ancestor, creator: str, seed: bytes, chance: Chance) -> GameForked:
    """Set up a table from how `ancestor` stood; `chance` is that of the fork.

    What the forker had not seen there from the seats that are theirs in both games is drawn anew, unless the ancestor is
    over and the same chance is asked for. Raises NotAllowed, WrongMoment, BadCommand.
    """
    table, state = ancestor.position.table, ancestor.position.game
    _check_forkable(command, ancestor)
    held = table.seats_of(creator) or ancestor.table.seats_of(creator)
    seats = command.seats or _same_seats(table, held or (0,))
    if len(seats) != len(table.seats):
        says = "The fork has {count} seats, like the game that it comes from."
        raise BadCommand("seats-out-of-range", says, pointer="/seats", count=len(table.seats))
    same = command.chance == "same"
    knowing = tuple(seat for seat in held if isinstance(seats[seat], MySeat))
    recorder = _Recorder(chance)
    state = state if same else game.redraw(state, knowing, recorder)
    return GameForked(
        ruleset=table.ruleset,
        edition=table.edition,
        edition_digest=game.editions[table.edition],
        options=table.options,
        seats=tuple(_seat_setup(seat, creator) for seat in seats),
        creator=creator,
        visibility=table.visibility,
        undo=table.undo if not table.rated else "consent",
        commitment=commitment_to(seed),
        parent=Parent(game=command.game, version=table.version, head=ancestor.head),
        knowing=knowing,
        same_chance=same,
        private=(
            Part(
                seats=NOBODY,
                data=ForkSecret(seed=seed.hex(), state=_plain(state), shuffles=tuple(recorder.shuffles)),
            ),
        ),
    )


def rematch(table: Table, head: str, player: str) -> CreateGame:
    """What sets up once more the game that ended at `table` with the event of digest `head`; everybody moves up one seat.

    `player` sits down, the seats of the others are kept for them. Raises WrongMoment, NotAllowed.
    """
    if table.status in {"open", "active"}:
        raise WrongMoment(
            "game-not-over", "A game is played once more when it is over; it is {status}.", status=table.status
        )
    if all(seat.player != player for seat in table.seats):
        raise NotAllowed("forbidden", "Only those who have played a game may play it once more.")
    return CreateGame(
        ruleset=table.ruleset,
        seats=tuple(_seat_again(seat, player) for seat in (*table.seats[1:], table.seats[0])),
        options=table.options,
        visibility=table.visibility,
        undo=table.undo,
        clock=table.clock,
        rated=table.rated,
        start=table.start,
        rematch_of=Parent(game=table.id, version=table.version, head=head),
    )


def read_options(game: AnyGame, options: dict[str, Any]) -> Options:
    """The typed options of the ruleset. Raises BadCommand with a pointer below `/options`."""
    try:
        read = msgspec.convert(options, game.options_type)
    except msgspec.ValidationError as error:
        raise BadCommand.malformed(error, "/options") from error
    if read.edition not in game.editions:
        known = ", ".join(game.editions)
        says = "There is no edition '{edition}'. Known are: {known}."
        raise BadCommand("unknown-edition", says, pointer="/options/edition", edition=read.edition, known=known)
    return read


def commitment_to(seed: bytes) -> str:
    """What is published of a seed before it is opened."""
    return "sha256:" + sha256(seed).hexdigest()


def _plain(value: object) -> Any:
    """The JSON values that a log gives back, in the order in which it gives them."""
    return msgspec.json.decode(canonical(value))


class _Recorder:
    """A chance that remembers its shuffles."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.shuffles: list[Shuffle] = []

    def shuffle(self, label: str, items: Sequence[Item]) -> Shuffle:
        """Shuffle and remember."""
        shuffle = self._chance.shuffle(label, items)
        self.shuffles.append(shuffle)
        return shuffle


def _check_seats(game: AnyGame, seats: Seats) -> None:
    if len(seats) not in game.seats:
        says = "{title} is for {low} to {high} seats."
        low, high = game.seats[0], game.seats[-1]
        raise BadCommand("seats-out-of-range", says, pointer="/seats", title=game.title, low=low, high=high)


def _check_rated(command: CreateGame) -> None:
    if command.undo != "off":
        raise BadCommand("rated-needs-undo-off", "A rated game has undo 'off'.", pointer="/undo")
    mine = sum(isinstance(seat, MySeat) for seat in command.seats)
    others = sum(isinstance(seat, OpenSeat | KeptSeat) for seat in command.seats)
    if mine > 1 or mine + others < 2:
        says = "In a rated game each seat has a player of its own, and two seats at least have players."
        raise BadCommand("rated-needs-two-players", says, pointer="/seats")


def _check_clock(clock: Clock | None) -> None:
    if clock is not None and (clock.per_turn_seconds is None) == (clock.bank_seconds is None):
        says = "A clock has either 'per_turn_seconds' or 'bank_seconds'."
        raise BadCommand("malformed-request", says, pointer="/clock")


def _check_forkable(command: ForkGame, ancestor: Ancestor) -> None:
    now = ancestor.table
    if now.rated and now.status == "active":
        raise NotAllowed("rated-game-running", "A rated game may be forked when it is over.")
    if ancestor.position.game is None:
        raise WrongMoment("game-not-started", "Before its start a game has nothing to fork.", pointer="/at")
    if command.chance == "same" and not now.seed_revealed:
        raise WrongMoment("game-not-over", "The same chance can be had when the game is over.", pointer="/chance")


def _same_seats(table: Table, held: Sequence[int]) -> Seats:
    """The forker on the seats held in the game, and bots on the other seats."""
    return [MySeat() if number in held else BotSeat(bot=_bot_like(seat.bot)) for number, seat in enumerate(table.seats)]


def _bot_like(bot: str | None) -> Any:
    return bot or "greedy"


def _seat_again(seat: Seat, player: str) -> AnySeat:
    if seat.player is not None:
        return MySeat() if seat.player == player else KeptSeat(player=seat.player)
    return OpenSeat() if seat.kind == "open" else BotSeat(bot=_bot_like(seat.bot))


def _seat_setup(seat: AnySeat, creator: str) -> SeatSetup:
    match seat:
        case MySeat():
            return SeatSetup(kind="player", player=creator)
        case OpenSeat():
            return SeatSetup(kind="open")
        case KeptSeat():
            return SeatSetup(kind="open", player=seat.player)
        case BotSeat():
            return SeatSetup(kind="bot", bot=seat.bot)
        case _:
            assert_never(seat)
