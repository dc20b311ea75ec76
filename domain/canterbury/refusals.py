"""The rules that can refuse a command. `docs/rules/canterbury.md` says where each stands in the rulebook and in the code."""

from domain.errors import Rule

WRONG_STEP = Rule("wrong_step", "This is not the moment for {command}; now expected: {expected}.", "The actions")
UNKNOWN_DISTRICT = Rule(
    "unknown_district", "There is no district {district}: they are numbered 0 to {last}.", "Game elements"
)
UNKNOWN_STRUCTURE = Rule(
    "unknown_structure", "There is no structure '{structure}' to choose here. Known are: {known}.", "Game elements"
)

FULL_BUILD_FIRST = Rule(
    "first_round_full_build", "In the first round everybody must choose full_build.", "The first round"
)
FULL_BUILD_OWED = Rule("full_build_owed", "After a levy the next action must be full_build.", "Levy")
NOTHING_TO_BUILD = Rule(
    "nothing_to_build",
    "No structure can be built anywhere with {shillings} shillings; choose levy instead.",
    "Full build, Tax and build, ruling 2",
)

NONE_LEFT = Rule("none_left", "No {structure} is left in the supply.", "Game elements")
TOO_EXPENSIVE = Rule(
    "too_expensive", "A {structure} costs {cost} shillings; there are {shillings}.", "Choosing and paying"
)
LARGE_ALONE = Rule(
    "large_alone",
    "A large structure is built alone; as a second one choose a small or medium one.",
    "Full build",
)
OUT_OF_REACH = Rule(
    "out_of_reach",
    "District {district} has no structure and none next to it; build where there is one or orthogonally beside.",
    "Placing",
)
NOT_IN_PART = Rule("not_in_this_part", "A {structure} may not stand in district {district}.", "Player points")
DUPLICATE = Rule(
    "duplicate",
    "District {district} already has a {structure} or its equal; choose another.",
    "Placing 1",
)
MISSING_SERVICE = Rule(
    "missing_service",
    "District {district} lacks {missing}: all services before {service} must be supplied there first.",
    "Placing 3",
)
NO_ROOM = Rule(
    "no_room",
    "District {district} has {free} free lots, a {structure} needs {lots}, and not enough may be demolished for it.",
    "Placing 2",
)

NOT_STANDING = Rule(
    "not_standing", "No {structure} stands in district {district}; choose one of those there.", "Demolition"
)
LARGE_STAYS = Rule("large_stays", "A large structure is never demolished.", "Demolition")
NOT_SMALLER = Rule(
    "not_smaller", "Only structures smaller than the {building} to be built may be demolished for it.", "Demolition"
)
BUILT_THIS_TURN = Rule(
    "built_this_turn",
    "What this action has put down can't be demolished in it.",
    "Demolition, ruling 5",
)
ROOM_ENOUGH = Rule(
    "room_enough",
    "There is room for the {building}: only a smaller structure of its own service may still go.",
    "Demolition, rulings 3 and 4",
)
STILL_NEEDED = Rule(
    "still_needed",
    "The {structure} may go only for a larger structure of {service}, or when a large one of {service} stands anywhere;"
    " a small one also when a medium one of {service} stands next door.",
    "Demolition, ruling 6",
)
NO_ROOM_YET = Rule(
    "no_room_yet",
    "The {building} needs {lots} lots and {free} are free: demolish something first.",
    "Placing 2",
)

ALREADY_SUPPLIED = Rule(
    "already_supplied",
    "District {district} already has {service}; choose one without it.",
    "Service cubes",
)
NOT_NEXT_DOOR = Rule(
    "not_next_door",
    "A medium structure supplies its own district and those next to it; district {district} is not one of these.",
    "Service cubes, ruling 9",
)
MUST_SERVE = Rule(
    "must_serve",
    "A medium structure supplies as many districts as it can: go on with serve.",
    "Service cubes, ruling 9",
)
BUILD_FIRST = Rule("build_first", "The action obliges to build at least one structure.", "Full build")

NO_SWAP_FROM_SMALL = Rule(
    "no_swap_from_small_stack", "Only the top tile of the medium stack may be returned.", "Two players"
)
SWAP_USED = Rule("swap_used", "A tile has already been returned in this turn.", "Two players")
NOTHING_BELOW = Rule(
    "nothing_below", "This is the last tile of the stack: there is none to build instead.", "Two players"
)
CAN_BE_PLACED = Rule(
    "can_be_placed", "The tile can be placed: use place_neutral, or swap_neutral.", "Two players, ruling 16"
)

RULEBOOK: tuple[Rule, ...] = (
    WRONG_STEP,
    UNKNOWN_DISTRICT,
    UNKNOWN_STRUCTURE,
    FULL_BUILD_FIRST,
    FULL_BUILD_OWED,
    NOTHING_TO_BUILD,
    NONE_LEFT,
    TOO_EXPENSIVE,
    LARGE_ALONE,
    OUT_OF_REACH,
    NOT_IN_PART,
    DUPLICATE,
    MISSING_SERVICE,
    NO_ROOM,
    NOT_STANDING,
    LARGE_STAYS,
    NOT_SMALLER,
    BUILT_THIS_TURN,
    ROOM_ENOUGH,
    STILL_NEEDED,
    NO_ROOM_YET,
    ALREADY_SUPPLIED,
    NOT_NEXT_DOOR,
    MUST_SERVE,
    BUILD_FIRST,
    NO_SWAP_FROM_SMALL,
    SWAP_USED,
    NOTHING_BELOW,
    CAN_BE_PLACED,
)
