"""Why a command is refused: each code with its sentence over the refusal's facts."""

REFUSALS = {
    "die-too-low": "A die must be higher than the one taken before in this round, {last}; {found} is not. "
    "Dice that can be taken: {expected:-none}.",
    "no-such-die": "No {found} is left; dice that can be taken: {expected:-none}.",
    "die-owed": "A die must be taken before the turn ends, one of these: {expected}.",
    "elephants-and-row": "With the elephants a row is named, and without them the die says it: {how}.",
    "elephants-in-vain": "The die allows row {row} already; the elephants would change nothing.",
    "explorer-in-vain": "This tent costs nothing; the explorer would change nothing.",
    "card-not-in-hand": "The card {card} is not in the hand, which holds: {hand}.",
    "played-otherwise": "The card {card} is used by another command: {how}.",
    "no-tent-left": "All tents are pitched, {tents} of {tents}.",
    "tents-stay": "A tent is moved only in a game of two, by a player with none left; "
    "this is a game of {seats}, and {left:tent} {left:?is|are} left.",
    "no-own-tent-there": "The player has no tent in column {column}, row {row}, but (column row) in: {expected}.",
    "same-square": "A tent cannot be moved to the square on which it stands.",
    "tent-too-dear": "The tent costs {need:coin}, {cost} for the column and {owners} for other owners there; "
    "the purse holds {have:coin}.",
    "too-few-coins": "The purse holds {have:coin}, fewer than {need}.",
    "steamer-went-back": "The steamer has gone back in this round already.",
    "steamer-at-the-start": "The steamer cannot go back from column 1.",
    "no-second-die": "No second die could be taken; dice that can be taken now: {expected:-none}.",
    "two-dice-already": "A second die was allowed in this turn already.",
    "steamer-is-there": "No tent can be raised in column {column}, where the steamer lies. "
    "Tents that can be joined stand (column row) in: {expected:-none}.",
    "no-tent-there": "No tent stands in column {column}, row {row}. "
    "Tents that can be joined stand (column row) in: {expected:-none}.",
    "too-few-gems": "Only {have} {gem} {have:?gem is|gems are} laid out, not {found}.",
}
