"""Every refusal of the game by its code: what is wrong with the value found, then what would do."""

from __future__ import annotations

REFUSALS = {
    "not-in-hand": "{found} is not in your hand. You hold {hand:-no cards}.",
    "no-strength": "A card needs strength from another card in your hand or from an Indian on your boats. You have"
    " neither. A camp brings them back.",
    "no-strength-yet": "This action has no strength yet. Type `under` with a card, or `indians` with a number.",
    "no-action": "No action with strength left is under way. Begin one with `play` or `village`, once a turn; each"
    " `use` takes 1 of its strength.",
    "use-unpaid": "You cannot pay for a use of {action} ({price}). You can spend {have:&}. So the action has ended.",
    "one-card-under": "{card} already lies under this card, and only one can. Add strength with `indians`.",
    "open-back": "Cards laid face down are visible to all in this game. Type `under` without `showing`.",
    "other-back": "Face down, {card} shows {expected}. Type `under` without `showing`, or with `showing {expected}`.",
    "indians-given": "This card already has {count:Indian} on it. All Indians for a card come with one command.",
    "too-strong": "A strength of {found} is too much. The most is {most}, and this action has {given} already.",
    "too-few-indians": "You asked for {found:Indian}, but there {have:?is|are} only {have} {where}.",
    "one-at-a-time": "{place} takes one Indian at a time. Send one.",
    "place-full": "{place} is full. {count:Indian} {count:?stands|stand} there until an Interpreter gathers the"
    " village.",
    "not-in-journal": "{found} is not in the journal. The journal shows {expected:-no cards}.",
    "cannot-recruit": "{card} costs {fur} fur and {equipment} equipment. You have {have}. A card that you discard"
    " saves as much equipment as its strength.",
    "action-owed": "You still owe an action this turn. Use `play` with a card, or `village` with a place.",
    "camp-first": "You cannot do any action now. Make camp first.",
    "no-such-way": "{action} cannot be used as {found}. Type `use as` with one of these: {expected}.",
    "one-way-only": "{action} has only one use. Type `use` without `as {found}`.",
    "which-way": "{action} has several uses. Type `use as` with one of these: {expected}.",
    "pay-fixed": "The price is fixed ({cost}). Type the command without `pay`.",
    "pay-unnamed": "Choose what to pay ({cost}). Type `pay` with the goods. You can spend {have:&}.",
    "pay-other": "{found} does not pay the price ({cost}). You can spend {have:&}.",
    "cannot-pay": "This costs {need:&}. You can spend {have:&}.",
    "out-of-order": "Goods have a fixed order. Name these as {expected}.",
    "nothing-to-name": "You cannot choose {found} here. The goods are fixed, or `only` already gives their number."
    " Leave `take` out.",
    "not-less": "`only` takes less than everything, and {found} is too many here. Give a smaller number, or leave"
    " `only` out.",
    "goods-unnamed": "Choose the goods. Type `take` with at most {most} of these: {expected} ({how}). You have room"
    " for {room}. To take none, type `only 0`.",
    "not-offered": "You cannot take {found} here. Take at most {most} of these: {expected} ({how}). You have room for"
    " {room}. To take none, type `only 0`.",
    "no-tile-left": "No boats for {holds} are left. Take the other kind, or type `stop`.",
    "not-to-copy": "{found} cannot be copied. You can copy {expected:&}.",
    "no-more-discards": "A Farewell discards at most {most:card}. Go on with `use`.",
}
