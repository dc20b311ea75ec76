"""Every rule that refuses a command. `source` is a page of the rulebook (HU) or a ruling of docs/rules/porta_nigra.md."""

from domain.errors import Rule

# ---- the right step of a turn

NOTHING_TO_DECIDE = Rule("nothing_to_decide", "No seat decides now: {phase}.", "HU8")
BUILDER_FIRST = Rule("builder_first", "Place your master builder in a quarter first: place_builder.", "HU4, A31")
BUILDER_ON_BOARD = Rule(
    "builder_on_board", "Your master builder is on the board; it moves when you buy or build.", "A31"
)
CARD_FIRST = Rule("card_first", "Play an action card of your hand first: play_action_card.", "HU4")
CARD_ALREADY_PLAYED = Rule("card_already_played", "One action card a turn; {card} is played already.", "HU4")
CARD_NOT_IN_HAND = Rule("card_not_in_hand", "{card} is not in your hand; play one of: {hand}.", "HU4")
BRICK_FIRST = Rule("brick_first", "Name the colour of your brick first: choose_brick ({due} to name).", "S6")
NO_BRICK_DUE = Rule("no_brick_due", "No brick without a colour is due to you.", "HU11, HU12")
TOP_UP_FIRST = Rule("top_up_first", "Put the brick on one of your Porta Nigra elements first: top_up_element.", "S6")
NO_TOP_UP_DUE = Rule("no_top_up_due", "Only an honor card lets you put a brick on top of an element.", "HU12")
SPLIT_FIRST = Rule("split_first", "Split your interim points first: split_interim.", "HU8")
NO_SPLIT_DUE = Rule("no_split_due", "Points are split in the interim scoring only.", "HU8")
START_PLAYER_FIRST = Rule("start_player_first", "Name the next start player first: choose_start_player.", "HU8, A27")
NO_SCORING_DUE = Rule(
    "no_scoring_due", "Scoring comes when all turns of a round, or of the game, have been taken.", "HU8"
)
NO_START_CHOICE = Rule("no_start_choice", "The start player is named after an interim scoring only.", "HU8")

# ---- names

UNKNOWN_QUARTER = Rule("unknown_quarter", "There is no quarter {quarter}; known are: {known}.", "HU3")
UNKNOWN_COLOR = Rule("unknown_color", "There is no brick colour {color}; known are: {known}.", "HU5")
UNKNOWN_SITE = Rule("unknown_site", "There is no building site {site}.", "HU10-11")
UNKNOWN_SEAT = Rule("unknown_seat", "There is no seat {seat}; seats are 0 to {last}.", "HU8")

# ---- action symbols

NO_SUCH_SYMBOL = Rule("no_such_symbol", "{card} has symbols 0 to {last}; there is none at {symbol}.", "HU4")
OTHER_SYMBOL = Rule("other_symbol", "Symbol {symbol} of {card} is {kind}; this action needs {needed}.", "HU4")
SYMBOL_COVERED = Rule("symbol_covered", "Symbol {symbol} is covered; each may be used once a turn.", "HU4")
NO_TORCH_LEFT = Rule("no_torch_left", "Neither the card nor your play area has a torch left for an action.", "HU4, A14")
NO_CARD_TORCH = Rule("no_card_torch", "No torch of an action card is left to give up.", "HU7")
NO_TORCH_TOKEN = Rule("no_torch_token", "You have no torch token to return.", "HU7")

# ---- buying

MARKET_EMPTY = Rule("market_empty", "The whole brick market is empty.", "A10")
OTHER_SHOP = Rule("other_shop", "This symbol buys in the {shop} shop while that has bricks.", "HU5, A9")
SHOP_EMPTY = Rule("shop_empty", "The {shop} shop is empty.", "HU5")
TOO_FEW_SESTERCES = Rule(
    "too_few_sesterces", "This costs {cost} sesterces, {fee} of them for the way; you have {sesterces}.", "HU5, A12"
)

# ---- building

SITE_TAKEN = Rule("site_taken", "An element stands on {site}; choose an empty site.", "HU6")
WRONG_HEIGHT = Rule("wrong_height", "An element on {site} has {least} to {most} bricks, not {bricks}.", "HU6, HU11")
WRONG_WHITES = Rule("wrong_whites", "White bricks may stand for 0 to {most} of these bricks, not {whites}.", "HU6, A8")
BRICKS_MISSING = Rule(
    "bricks_missing",
    "This takes {needed} {color} and {whites} white bricks; your supply has {own} and {own_whites}.",
    "HU6",
)
NO_ROMAN = Rule("no_roman", "You need a Roman in your play area to put on the element.", "HU6, A34")
NOT_OWN_ELEMENT = Rule("not_own_element", "{site} bears no element of yours whose height may grow.", "HU12, A19")
ELEMENT_FULL = Rule("element_full", "The element on {site} has {most} bricks already.", "HU11, A19")

# ---- influence

TOO_LITTLE_INFLUENCE = Rule("too_little_influence", "This costs {cost} influence; you have {influence}.", "HU7")
ONE_HONOR_CARD = Rule("one_honor_card", "You have bought an honor card this turn; one a turn.", "HU4, HU7")
NOT_ON_DISPLAY = Rule("not_on_display", "{card} is not in the honor card display; there are: {display}.", "HU7")
WRONG_DISCARD = Rule("wrong_discard", "{card} asks you to discard {asked}.", "HU7, HU12, A18")
NO_ROMAN_IN_RESERVE = Rule("no_roman_in_reserve", "No Roman of yours is left in the reserve.", "HU8, A20")
NO_BRICK_IN_RESERVE = Rule("no_brick_in_reserve", "No brick is left in the reserve.", "HU8, A20")
NO_ELEMENT_TO_TOP_UP = Rule("no_element_to_top_up", "You have no Porta Nigra element that may grow.", "HU12, A20")

# ---- interim scoring

SPLIT_OUT_OF_RANGE = Rule("split_out_of_range", "Take 0 to {points} victory points; the rest is sesterces.", "HU8")

RULEBOOK = tuple(rule for rule in globals().values() if isinstance(rule, Rule))
