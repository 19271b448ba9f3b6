"""Why a command is refused: each code with its sentence over the refusal's facts."""

REFUSALS = {
    "too-few-action-points": "That takes {need:action point}, and {have} {have:?is|are} left.",
    "no-such-piece-there": "The player has no {piece} on {cell}. Cells where one stands: {expected:-none}.",
    "cell-is-taken": "A tile lies on {cell} already. Cells where this one fits: {expected}.",
    "same-rotation": "In {found} the tile looks as in {expected}; write {expected}.",
    "does-not-join": "On {cell}, turned {found}, the tile joins no tile by a road; turned {expected} it fits there.",
    "fits-nowhere-there": "However it is turned, the tile does not fit on {cell}. Cells where it does: {expected}.",
    "none-left": "The player has no {piece} left to enter with.",
    "no-camp-there": "The player has no camp on {cell}. Cells where pieces enter: {expected}.",
    "is-there-already": "The piece stands on {cell} already.",
    "no-way": "No road leads from {start} to {goal}. "
    "Cells that {have:action point} {have:?leads|lead} to: {expected:-none}.",
    "enough-for-this-turn": "One tile gives no more than {most} levels or treasures a turn, and {cell} has given them.",
    "too-few-pieces-there": "For that the player needs {need:piece} on {cell} and has {have}.",
    "no-temple-there": "There is no temple on {cell}. Cells with one: {expected:-none}.",
    "temple-is-guarded": "The temple on {cell} has a guard and is finished.",
    "no-such-level-left": "The temple on {cell} is finished: its next level is {level}, and none of them is left.",
    "no-guard-left": "The player has posted {most:guard}, and nobody posts more.",
    "not-the-strongest": "A guard takes the most strength on {cell}: the player has {have}, and another {others}.",
    "no-treasure-there": "There is no treasure on {cell}. Cells with treasures: {expected:-none}.",
    "nobody-to-swap-with": "{other_seat} is nobody to swap with. "
    "Others with a single treasure: {possible_seats:-none}.",
    "same-treasure": "Both treasures are a {treasure}.",
    "not-a-single": "{seat} has not exactly one {treasure}; only singles are swapped. Singles there: {expected:-none}.",
    "no-ground-for-a-camp": "A camp is pitched on a clearing, or on ruins without treasures; {cell} is neither.",
    "camp-is-there": "A camp stands on {cell} already.",
    "no-tent-left": "The player has pitched {most:tent}, and nobody has more.",
    "beyond-own-points": "A bid of {found} is more than the {have:point} that the player has.",
    "bid-too-low": "A bid of {found} is not higher than {highest}; the player may go up to {have}, or pass.",
    "not-on-sale": "The tile {found} is not on sale. On sale: {expected}.",
}
