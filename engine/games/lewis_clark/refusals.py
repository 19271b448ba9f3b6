"""Every refusal of the game by its code: one sentence over its facts."""

from __future__ import annotations

REFUSALS = {
    "not-in-hand": "{found} is not in the hand, which holds: {hand}.",
    "no-strength": "A card needs strength: another card of the hand or an Indian aboard, and there is neither.",
    "no-strength-yet": "Nothing has given strength to this action yet: type `under` with a card, or `indians` with"
    " a number.",
    "one-card-under": "Only one card can lie under another, and {card} lies there.",
    "open-back": "Cards lie openly under others in this game: type `under` without `showing`.",
    "other-back": "Face down, {card} shows {expected}: type `under` without `showing`, or with that.",
    "indians-given": "{count:Indian} {count:?stands|stand} on this card already; all of them come at once.",
    "too-strong": "That would be a strength of {found}, with the {given} given before; {most} is the most.",
    "too-few-indians": "{have:Indian} {have:?is|are} {where}, fewer than {found}.",
    "one-at-a-time": "Only one Indian at a time can go to {place}.",
    "place-full": "No circle is free at {place}: {count:Indian} {count:?stands|stand} there until an Interpreter"
    " gathers the village.",
    "not-in-journal": "{found} does not lie in the journal; there are: {expected}.",
    "cannot-recruit": "{card} takes {fur} fur and {equipment} equipment; there is: {have}. A discarded card saves as"
    " much equipment as it is strong.",
    "action-owed": "An action is still owed in this turn: `play` a card, or send Indians to a place of the `village`.",
    "camp-first": "No action is possible, so a camp must be set up first.",
    "no-such-way": "{action} is not used as {found}; its ways are: {expected}.",
    "one-way-only": "{action} is used in one way only: type `use` without `as {found}`.",
    "which-way": "{action} can be used in several ways: type `use as` with one of {expected}.",
    "pay-fixed": "The price is fixed ({cost}), so no payment is named: type it without `pay`.",
    "pay-unnamed": "Say what is paid, {cost}: type `pay` with the goods; to spend there is: {have}.",
    "pay-other": "The price is {cost}, and {found} is not that; to spend there is: {have}.",
    "cannot-pay": "That takes {need}; to spend there is: {have}.",
    "out-of-order": "Goods are named in this order: {expected}.",
    "nothing-to-name": "Nothing is to be chosen here, or a number says it already: {found} is not named.",
    "not-less": "`only` is said to take less than all, and {found} is not less than {most}.",
    "goods-unnamed": "Say which goods: type `take` with {most} at most of {expected}, {how}; there is room for {room}.",
    "not-offered": "{found} cannot be taken here: {most} at most of {expected}, {how}; there is room for {room}.",
    "no-tile-left": "No boat for {holds} is left.",
    "not-to-copy": "{found} cannot be copied; there are: {expected}.",
    "no-more-discards": "A farewell discards {most:card} at most.",
}
