"""Every refusal by its code: what is wrong with the value found, then what would do."""

REFUSALS = {
    "die-too-low": "The {found} is not higher than your last die this round, {last}. "
    "Dice you can take: {expected:-none}.",
    "no-such-die": "There is no {found} left. Dice you can take: {expected:-none}.",
    "die-owed": "You must take a die before you end the turn. Dice you can take: {expected}.",
    "elephants-and-row": "A row and the elephants go together: name both, or neither. Type: {how}.",
    "elephants-in-vain": "Your die puts the tent in row {row} anyway. Leave the elephants out, or name another row.",
    "explorer-in-vain": "This tent costs nothing anyway. Leave the explorer out.",
    "card-not-in-hand": "You do not hold {card}. Your hand: {hand:-no cards}.",
    "played-otherwise": "{card} is played with another command: {how}.",
    "no-tent-left": "All {tents} of your tents are on the board. In a game of two you can move one: "
    "tent DIE from COLUMN ROW.",
    "tents-stay": "Tents can be moved only in a game of two, by a player with none left. "
    "This game has {seats} players, and you have {left:tent} left.",
    "no-own-tent-there": "You have no tent in column {column}, row {row}. Your tents, by column and row: {expected}.",
    "same-square": "The tent is on that square already. Choose one on another square.",
    "tent-too-dear": "The tent costs {need:coin}: {cost} for the column and {owners} for other owners on the square. "
    "Your purse holds {have:coin}.",
    "too-few-coins": "You cannot give {need:coin}: your purse holds {have}.",
    "steamer-went-back": "The steamer has already gone back this round. It can do so once a round.",
    "steamer-at-the-start": "The steamer is at column 1 and cannot go back.",
    "no-second-die": "You could not take a second die. Dice you can take now: {expected:-none}.",
    "two-dice-already": "You have already played this card this turn. It can be played once a turn.",
    "steamer-is-there": "The steamer is at column {column}, so no tent can be raised there. "
    "Squares you can join, by column and row: {expected:-none}.",
    "no-tent-there": "There is no tent in column {column}, row {row}. "
    "Squares you can join, by column and row: {expected:-none}.",
    "too-few-gems": "You cannot sell {found}: you have {have:-no} {gem} {have:?gem|gems}.",
}
