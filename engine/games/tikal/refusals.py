"""Every refusal by its code: what is wrong with the value found, then what would do."""

REFUSALS = {
    "too-few-action-points": "This costs {need:action point}. You have {have} left.",
    "no-such-piece-there": "You have no {piece} on {cell}. Cells where you have one: {expected:-none}.",
    "cell-is-taken": "There is already a tile on {cell}. Cells where this one fits: {expected}.",
    "same-rotation": "In rotation {found} the tile looks the same as in {expected}. Use {expected}.",
    "does-not-join": "On {cell}, in rotation {found}, the tile has no road to another tile. "
    "Rotations that fit there: {expected}.",
    "fits-nowhere-there": "The tile does not fit on {cell} in any rotation. Cells where it fits: {expected}.",
    "none-left": "You have no {piece} left to bring to the board.",
    "no-camp-there": "You have no camp on {cell}. Cells where your pieces can enter: {expected}.",
    "is-there-already": "The piece is already on {cell}. Name another cell to walk to.",
    "no-way": "No road leads from {start} to {goal}. "
    "With {have:action point} you can reach: {expected:-no other cell}.",
    "enough-for-this-turn": "You have taken {most:level or treasure|levels or treasures} on {cell} this turn. "
    "That is the limit.",
    "too-few-pieces-there": "This needs {need} of your pieces on {cell}. You have {have} there.",
    "no-temple-there": "There is no temple on {cell}. Cells with a temple: {expected:-none}.",
    "temple-is-guarded": "The temple on {cell} has a guard. It cannot grow or get a second guard.",
    "no-such-level-left": "The temple on {cell} cannot grow: no level {level} is left.",
    "no-guard-left": "You have already posted {most:guard}. That is the limit.",
    "not-the-strongest": "Your strength on {cell} is {have}, and the strongest other player has {others} there. "
    "A guard needs more than every other player has.",
    "no-treasure-there": "There is no treasure on {cell}. Cells with treasures: {expected:-none}.",
    "nobody-to-swap-with": "You cannot swap with {other_seat}. "
    "Other players with a single treasure: {possible_seats:-none}.",
    "same-treasure": "You cannot swap {treasure} for {treasure}. Name two different treasures.",
    "not-a-single": "{seat} does not have exactly one {treasure}, and only single treasures are swapped. "
    "Singles of {seat}: {expected:-none}.",
    "no-ground-for-a-camp": "A camp does not fit on {cell}. It needs a clearing, or ruins without treasures.",
    "camp-is-there": "There is already a camp on {cell}. A tile has room for one.",
    "no-tent-left": "You have already pitched {most:camp}. That is the limit.",
    "beyond-own-points": "You cannot bid {found}. You have {have:point}.",
    "bid-too-low": "A bid of {found} is not higher than the last one, {highest}. You can bid up to {have}, or pass.",
    "not-on-sale": "The tile {found} is not on sale. Tiles on sale: {expected}.",
}
