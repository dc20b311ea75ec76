"""The one judge: commands become events, or are refused."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.errors import RuleViolation
from domain.game import ranked
from domain.kreta.actions import is_possible
from domain.kreta.board import ABBOT, ADMIRAL, ARCHITECT, CASTELLAN, COMMANDER, FARMER, KING, Board
from domain.kreta.commands import (
    BuildFort,
    BuildVillage,
    EndTurn,
    Harvest,
    KeepFortCard,
    KretaCommand,
    MoveAbbot,
    MoveShip,
    MoveVillager,
    PlaceAbbot,
    PlaceShip,
    PlaceVillager,
    PlayCharacter,
    ReplaceFortCard,
    Score,
)
from domain.kreta.events import (
    CardsTakenBack,
    CharacterPlayed,
    FortCardKept,
    FortCardReplaced,
    FortCardTurnedDown,
    FortCardTurnedUp,
    GameEnded,
    KretaEvent,
)
from domain.kreta.evolution import evolve
from domain.kreta.execution import (
    build_fort,
    build_village,
    harvest,
    move_abbot,
    move_ship,
    move_villager,
    place_abbot,
    place_ship,
    place_villager,
)
from domain.kreta.refusals import (
    ACTION_IMPOSSIBLE,
    CARD_NOT_IN_HAND,
    KING_COPIES,
    NOT_FACE_UP,
    NOTHING_DONE_YET,
    ONLY_KING_COPIES,
    UNKNOWN_CHARACTER,
    WRONG_ACTION,
)
from domain.kreta.scoring import score_point
from domain.kreta.state import CHOOSE_CARD, FORT_CARD, SCORING, State
from domain.kreta.turns import Events, turn_ended

CHARACTER = "/data/character"
COPIES = "/data/copies"


def decide(state: State, command: KretaCommand) -> Events:
    """What `command` of the active seat, or of the house, brings about. Raises RuleViolation."""
    phases, judge = _JUDGES[type(command)]
    if state.phase not in phases:
        raise RuleViolation(WRONG_ACTION, command=command.type, phase=state.phase, awaited=_awaited(state.phase))
    return judge(state, command)


def _awaited(phase: str) -> str:
    return ", ".join(command.type for command, (phases, _) in _JUDGES.items() if phase in phases) or "-"


def _play_character(state: State, command: PlayCharacter) -> Events:
    """A card from the hand whose action can be carried out; the king's is that of a card that lies face up."""
    played = state.played[state.active]
    _known(state.board, command.character, CHARACTER)
    if command.character in played:
        hand = ", ".join(character for character in state.board.characters if character not in played)
        raise RuleViolation(CARD_NOT_IN_HAND, pointer=CHARACTER, character=command.character, hand=hand)
    if command.character == KING:
        action = _copied(state, command)
    elif command.copies is not None:
        raise RuleViolation(ONLY_KING_COPIES, pointer=COPIES)
    else:
        action = command.character
    if action != CASTELLAN and not is_possible(state, action):
        raise RuleViolation(ACTION_IMPOSSIBLE, pointer=CHARACTER, character=action)
    return (CharacterPlayed(state.active, command.character, command.copies),)


def _copied(state: State, command: PlayCharacter) -> str:
    played = state.played[state.active]
    if command.copies is None:
        raise RuleViolation(KING_COPIES, pointer=CHARACTER)
    _known(state.board, command.copies, COPIES)
    if command.copies not in played:
        raise RuleViolation(NOT_FACE_UP, pointer=COPIES, face_up=", ".join(played) or "-")
    return command.copies


def _known(board: Board, character: str, pointer: str) -> None:
    if character not in board.characters:
        known = ", ".join(board.characters)
        raise RuleViolation(UNKNOWN_CHARACTER, pointer=pointer, character=character, known=known)


def _end_turn(state: State, _command: EndTurn) -> Events:
    """Not before the action has done something."""
    if not state.begun:
        raise RuleViolation(NOTHING_DONE_YET, character=state.phase)
    return (turn_ended(state),)


def _score(state: State, _command: Score) -> Events:
    """Castellan: score and turn down the leftmost open card; turn the next one up, close the round or the game (ruling 12)."""
    place = state.turned_down + 1
    point = state.row[state.turned_down]
    scored = score_point(state, place, point)
    return (*scored, FortCardTurnedDown(state.active, place, point), *_after_scoring(state, scored))


def _after_scoring(state: State, scored: Events) -> Events:
    if state.turned_down + 1 == len(state.row):
        after = state
        for event in scored:
            after = evolve(after, event)
        ranking = ranked(after.scores)
        return (GameEnded(after.scores, ranking, ranking[0]),)
    if state.turned_up < len(state.row):
        return (FortCardTurnedUp(state.active, state.turned_up + 1, state.row[state.turned_up]),)
    return _round_closed(state)


def _keep_fort_card(state: State, _command: KeepFortCard) -> Events:
    """The card that was turned up last stays open."""
    card = FortCardKept(state.active, state.turned_up, state.row[state.turned_up - 1])
    return (card, *_round_closed(state))


def _replace_fort_card(state: State, _command: ReplaceFortCard) -> Events:
    """The card that was turned up last goes under the pile; the pile's top card lies open in its place and must stay."""
    card = FortCardReplaced(state.active, state.turned_up, state.row[state.turned_up - 1], state.pile[0])
    return (card, *_round_closed(state))


def _round_closed(state: State) -> Events:
    """Everybody takes back the cards that lie face up; the next seat plays (ruling 23)."""
    return (CardsTakenBack(state.active, state.played), turn_ended(state))


Judge = Callable[[State, Any], tuple[KretaEvent, ...]]

_JUDGES: Mapping[type[KretaCommand], tuple[tuple[str, ...], Judge]] = {
    PlayCharacter: ((CHOOSE_CARD,), _play_character),
    PlaceShip: ((ADMIRAL,), place_ship),
    MoveShip: ((ADMIRAL,), move_ship),
    PlaceVillager: ((COMMANDER,), place_villager),
    MoveVillager: ((COMMANDER,), move_villager),
    PlaceAbbot: ((ABBOT,), place_abbot),
    MoveAbbot: ((ABBOT,), move_abbot),
    Harvest: ((FARMER,), harvest),
    BuildFort: ((ARCHITECT,), build_fort),
    BuildVillage: ((ARCHITECT,), build_village),
    EndTurn: ((ADMIRAL, COMMANDER, FARMER), _end_turn),
    KeepFortCard: ((FORT_CARD,), _keep_fort_card),
    ReplaceFortCard: ((FORT_CARD,), _replace_fort_card),
    Score: ((SCORING,), _score),
}
"""By command, the phases in which it comes and the function that judges it."""
