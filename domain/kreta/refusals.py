"""The rules that can refuse a command."""

from domain.errors import Rule

UNKNOWN_CHARACTER = Rule(
    "unknown_character", "There is no character '{character}'. Known are: {known}.", "Game elements"
)
UNKNOWN_PROVINCE = Rule("unknown_province", "There is no province '{province}'. Known are: {known}.", "Game elements")
UNKNOWN_SITE = Rule("unknown_site", "There is no fort point {site}. Known are: {known}.", "Game elements")

WRONG_ACTION = Rule(
    "wrong_action",
    "'{command}' is not what is to be done now ({phase}). What is awaited: {awaited}.",
    "Course of the game",
)
CARD_NOT_IN_HAND = Rule(
    "card_not_in_hand",
    "The {character} lies face up already. Play one of: {hand}; a castellan brings all cards back.",
    "Course of the game",
)
ACTION_IMPOSSIBLE = Rule(
    "action_impossible",
    "The action of the {character} cannot be carried out now. Play a card whose action can be.",
    "Course of the game",
)
KING_COPIES = Rule("king_copies", "With the king, 'copies' names the card whose action is done again.", "King")
ONLY_KING_COPIES = Rule("only_king_copies", "Only the king copies another card: leave 'copies' out.", "King")
NOT_FACE_UP = Rule(
    "not_face_up",
    "The king copies a card that lies face up before its own player: {face_up}.",
    "King, ruling 11",
)

PLACE_OR_MOVE = Rule(
    "place_or_move",
    "A card either places a piece or moves pieces: go on moving, or end the turn.",
    "Admiral, Commander",
)
NOTHING_DONE_YET = Rule(
    "nothing_done_yet",
    "The {character} was played to be used: do something before you end the turn.",
    "Rulings 1, 8, 10",
)
NO_PIECE_LEFT = Rule(
    "no_piece_left", "All of your {count} pieces of the kind '{piece}' are on the board.", "Game elements"
)

NO_HARBOUR = Rule("no_harbour", "'{province}' has no harbour. Harbours are at: {harbours}.", "Admiral")
OWN_SHIP_THERE = Rule(
    "own_ship_there", "Your two ships may not lie in one harbour, and one lies at '{province}'.", "Admiral"
)
HARBOUR_FULL = Rule(
    "harbour_full", "With {seats} seats the harbour of '{province}' holds {most} and is full.", "Admiral"
)
NO_SHIP_THERE = Rule("no_ship_there", "You have no ship at '{province}'. Yours lie at: {places}.", "Admiral")
SHIP_HAS_MOVED = Rule(
    "ship_has_moved", "The ship at '{province}' has moved in this turn; each ship moves once.", "Admiral, ruling 10"
)

PROVINCE_FULL = Rule(
    "province_full",
    "'{province}' holds {most} abbots, villagers and villages and takes no more; only passing through is allowed.",
    "Commander, Abbot, Architect, ruling 7",
)
ABBOTS_PEACE = Rule(
    "abbots_peace",
    "Another player's abbot keeps the peace in '{province}': without your own abbot there you may add neither "
    "villager nor village.",
    "Abbot, ruling 6",
)
NO_VILLAGER_THERE = Rule(
    "no_villager_there", "You have no villager in '{province}'. Yours stand in: {places}.", "Commander"
)
ALREADY_THERE = Rule(
    "already_there", "The piece stands in '{province}' already; name another province.", "Rulings 8, 9"
)
TOO_FAR = Rule(
    "too_far",
    "From '{origin}' to '{target}' it is {distance} steps along borders, and {left} are left.",
    "Commander, Abbot",
)
ABBOT_NOT_PLACED = Rule("abbot_not_placed", "Your abbot is in the supply: place it with 'place_abbot'.", "Abbot")

NOT_REACHABLE = Rule(
    "not_reachable",
    "No chain of your villagers leads from one of your ships to '{province}'. Reached are: {reached}.",
    "Farmer, ruling 2",
)
NO_TILE_LEFT = Rule("no_tile_left", "The tile of '{province}' has been harvested.", "Farmer, ruling 2")

SITE_TAKEN = Rule("site_taken", "A fort stands on point {site}; build on a free one.", "Architect, ruling 5")
TOO_FEW_TILES = Rule(
    "too_few_tiles",
    "Village number {village} needs as many collected tiles, and you have {tiles}.",
    "Architect, ruling 4",
)

RULEBOOK: tuple[Rule, ...] = tuple(rule for rule in globals().values() if isinstance(rule, Rule))
"""Every rule, in the order of this page."""
