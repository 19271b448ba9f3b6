"""Every refusal of the game by its code: one sentence over its facts."""

from __future__ import annotations

REFUSALS = {
    "not-in-hand": "The card {found} is not in the hand.",
    "no-strength": "A card needs strength: another card of the hand or an Indian aboard, and there is neither.",
    "no-strength-yet": "Nothing has given strength to this action yet: a card under it or Indians must.",
    "one-card-under": "Only one card can lie under another.",
    "other-back": "What {card} shows to others is told as its back, and as nothing else: {expected}.",
    "indians-given": "Indians stand on this card already; all of them come at once.",
    "too-strong": "That would be a strength of {found}; {most} is the most.",
    "too-few-indians": "Of {found} Indians, only {have} can be had.",
    "one-at-a-time": "Only one Indian at a time can go to {place}.",
    "place-full": "No circle is free at {place}.",
    "not-in-journal": "{found} does not lie in the journal; there are: {expected}.",
    "cannot-recruit": "That takes {fur} fur and {equipment} equipment; there is: {have}.",
    "action-owed": "An action of a card or of the village is still to be done in this turn.",
    "camp-first": "No action is possible, so a camp must be set up first.",
    "no-such-way": "This action is not used as '{found}'; its ways are: {expected}.",
    "which-way": "This action can be used in several ways; say `as` one of: {expected}.",
    "pay-fixed": "The price is fixed, {cost}: no payment is named.",
    "pay-unnamed": "What is paid must be named: {cost}.",
    "pay-other": "That is not the price; it is {cost}.",
    "cannot-pay": "That takes {need}; to spend there is: {have}.",
    "out-of-order": "Goods are named in this order: {expected}.",
    "nothing-to-name": "Nothing is to be chosen here, or a number says it already: {found} is not named.",
    "not-less": "A number is named only to take less than all, and {found} is not less.",
    "goods-unnamed": "The goods must be named; there is room for {room}.",
    "not-offered": "{found} cannot be taken here; there is room for {room}.",
    "no-tile-left": "No boat for {holds} is left.",
    "not-to-copy": "{found} cannot be copied; there are: {expected}.",
    "no-more-discards": "A farewell discards {most} cards at most.",
}
