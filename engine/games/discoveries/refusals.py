"""Every refusal by its code: what is wrong with the value found, then what would do."""

REFUSALS = {
    "no-such-die": "There is no {found} in your reserve. It holds: {have:-no dice}.",
    "face-not-played": (
        "The die {found} does not go with the dice played this turn ({played}). "
        "A turn uses one face, unless a Flathead card allows more."
    ),
    "die-in-hand": "A Sioux card has turned a die to {expected}. Lay it before {found}.",
    "shows-it-already": "The die {found} already shows that face. Lay it as it is.",
    "no-sioux": "No Sioux card can turn {found} to {face} now. Your Sioux cards: {have:-none}. Each helps once a turn.",
    "no-use": "Played as {face}, {found} does not fit on any action now. Choose another die or face.",
    "no-write-die": "The die {found} does not show Write. Only a Write die completes an exploration action.",
    "no-such-action": "You do not have the action {found}. Your actions: {expected}.",
    "action-done": "You have already used {space} this turn. Each action works once a turn.",
    "action-begun": "First finish {space}: it needs {due:more die|more dice} played as {face}.",
    "wrong-face": "A die played as {found} does not fit on {space}. It takes: {expected}.",
    "nothing-open": "Every space of {space} is taken. Only a Write die can be added.",
    "too-few-dice": "For {space} you need {need:die|dice} played as {face} in one turn. You have {have}.",
    "no-such-tribe": "You cannot win a tribe with {space}. The Camp holds: {have:-no tribes}.",
    "nothing-to-turn": "You have no other die to turn. Choose another action.",
    "same-face": "Dice turned together show one face. Turn this one to {expected}, not to {found}.",
    "no-other-route": "You cannot exchange your card. You have no card to explore, or the Territories are empty.",
    "tribe-not-there": "You cannot win card {found} with {space}. You can win: {expected:-none}.",
    "tribe-unpaid": "You cannot win card {found} before its dice are laid. "
    "Type `lay friendly` with one Parley die, or `lay wary` with two, one `lay` for each.",
    "not-in-territories": "Card {found} is not in the Territories. They hold: {expected:-no cards}.",
    "not-most-grey": "{giver_seat} does not have the most grey dice. Ask one of: {possible_seats}.",
    "no-grey-die-there": "You have no grey die at {found}. You have one at: {expected}.",
    "explored-already": "You have already explored this turn. You can do so once a turn.",
    "not-ready": "You cannot write on {found} now. Ready for a Write die: {expected:-no action}.",
    "leads-nowhere": (
        "A Write die on {space} would lead nowhere. "
        "Your ready actions and Write dice must together cross a whole road: {roads:-no card}."
    ),
    "card-not-to-explore": "You cannot explore card {found} first. You can explore: {expected:-none}.",
    "not-crossed": "The actions with a Write die ({actions}) do not cross: {roads}.",
    "places-in-order": "The places must be in alphabetical order, not {found}.",
    "no-own-die-there": "You named {found}. Dice of your colour are at: {expected:-no place}.",
    "no-own-dice": "There is no die of your colour to take back. Type `rest none` to take nothing.",
    "all-own-dice": "These are all your dice. Leave the places out: `rest own`.",
    "bank-empty": "There are no dice on the {bank} bank. Take the other bank, your own dice or none.",
}
