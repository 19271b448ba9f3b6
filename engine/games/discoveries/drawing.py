"""The pieces of the picture: dice, terrain, cards and actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.games.discoveries import terms
from engine.games.discoveries.cards import RIVER, Card, Discovery, Exploration, Need
from engine.games.discoveries.changes import place_of
from engine.games.discoveries.state import Action
from engine.kit import box, circle, fitted, fitting, folded, marked, moved, path, readable, text

SMALL = 13.8  # the size of words on cards
NAMES, NAME = 14.5, 6.0  # of an action: the size of its name, its left edge
DIGIT, AFTER = 9.0, 4.0  # the room of a digit before the name, and between them
SPACE = 30.0  # a place for a die
SHAPES = {
    "walk": "M8 4 h6 v8 l6 3 v4 h-12 Z",
    "ride": "M5 20 V11 a7 7 0 0 1 14 0 V20 h-4 V11 a3 3 0 0 0 -6 0 V20 Z",
    "parley": "M3.500 5 h17 v10 h-8 l-4.500 4.500 V15 h-4.500 Z",
    "write": "M4.500 20.500 L8 14 C8 8 13 4.500 20 3.500 C19.500 9.500 16 14.500 10 15 L6 20.500 Z",
}
SPECIES = {
    "fish": "M2 12 q8 -9 15 0 l5 -5 v10 l-5 -5 q-7 9 -15 0 Z",
    "bird": "M2 9 q6 -3 10 4 q4 -7 10 -4 q-7 0 -9 8 h-2 q-2 -8 -9 -8 Z",
    "mammal": "M3 20 v-7 q0 -5 6 -5 h6 l3 -4 4 4 -2 4 v8 h-3 v-5 h-8 v5 Z",
    "plant": "M11 22 v-7 q-8 0 -8 -8 q8 0 9 6 q1 -10 9 -10 q0 10 -8 12 v7 Z",
}


def shape(d: str, x: float, y: float, size: float, fill: str) -> str:
    """A path drawn on a field 24 units wide, scaled to this size."""
    return path(d, transform=f"translate({x:g} {y:g}) scale({size / 24:.4g})", fill=fill)


# --- dice -----------------------------------------------------------------------------------------------------------


def die(x: float, y: float, colour: str, face: str = "", size: float = SPACE) -> str:
    """A die with its shadow and a shine; without a face where it will be rolled before it is used."""
    ink, round_ = "@on-yellow" if colour == "yellow" else "@on-seat", size * 0.2
    shadow = box(x + 1.5, y + 2, size - 2, size - 2, rx=round_, fill="@edge")
    side = box(x, y, size - 2, size - 2, rx=round_, fill=f"@die-{colour}", stroke="@edge", stroke_width=1.2)
    shine = path(f"M{x + 4:g} {y + size * 0.38:.4g} V{y + 6:g} q0 -2.500 2.500 -2.500 h{size * 0.22:.4g}", fill="none")
    glow = shine.replace("/>", f' stroke="{ink}" stroke-width="1.3"/>')
    return shadow + side + glow + (shape(SHAPES[face], x + 4, y + 4, size - 10, ink) if face else "")


def space(x: float, y: float, face: str, colour: str, size: float = SPACE) -> str:
    """A space for a die: the face it takes in faint ink, or the die on it."""
    if colour:
        return die(x, y, colour, "" if face == "any" else face, size)
    frame = box(x + 0.5, y + 0.5, size - 2, size - 2, rx=size * 0.2, fill="@space", stroke="@faint", stroke_width=1.3)
    if face == "any":
        return frame + text(x + size / 2 - 0.5, y + size - 9, "?", 19, middle=True, fill="@faint", bold=True)
    return frame + shape(SHAPES[face], x + 4, y + 4, size - 9, "@faint")


# --- terrain and tipis ----------------------------------------------------------------------------------------------


def icon(x: float, y: float, terrain: str, size: float) -> str:
    """One river or one mountain."""
    fill = "@water" if terrain == RIVER else "@ground"
    ground = box(0, 0, 24, 24, rx=5, fill=fill)
    if terrain == RIVER:
        sign = path("M3 9 q4.500 -5 9 0 t9 0 M3 16 q4.500 -5 9 0 t9 0", fill="none", stroke="@foam", stroke_width=2.2)
    else:
        sign = path("M2 21 L12 4 L22 21 Z", fill="@rock") + path("M8.500 10 L12 4 L15.500 10 L12 12 Z", fill="@snow")
    return moved(x, y, ground, sign, scale=size / 24)


def tipis(x: float, y: float, count: int) -> str:
    """Tipis in a row that ends at x; more than three are one tipi and a number."""
    tent = "M12 3 L22 22 H2 Z"
    if count > 3:
        return shape(tent, x - 16, y, 15, "@tipi") + text(x - 18, y + 14, count, 14, end=True)
    return "".join(shape(tent, x - 16 * (at + 1), y, 15, "@tipi") for at in range(count))


def moves(x: float, y: float, room: float, exploration: Exploration, most: float = 21.0) -> Iterator[str]:
    """The icons that an exploration action gives, as large as the room allows."""
    parts = _parts(exploration)
    size = min(most, room / sum(1.3 if len(part) > 1 else 1.08 for part in parts))
    for part in parts:
        if part in "RM":
            yield icon(x, y + (most - size) / 2, part, size)
        else:
            yield text(x + 1, y + most * 0.76, part, 15)
        x += size * (1.3 if len(part) > 1 else 1.08)


def _parts(exploration: Exploration) -> Sequence[str]:
    if exploration.changes:
        return ("R", "\u2194", "M")
    if exploration.extends:
        return ("+", *exploration.extends)
    first, *other = exploration.moves
    return (*first, *(part for move in other for part in ("or", *move)))


# --- cards ----------------------------------------------------------------------------------------------------------


def discovery(x: float, y: float, width: float, height: float, card: Card) -> Iterator[str]:
    """A discovery card: its routes from the bottom up along a trail, and below them what it is worth."""
    yield box(x, y, width, height, rx=8, fill="@card", stroke="@line", stroke_width=1.5)
    yield text(x + 9, y + 21, card.number, 17, bold=True)
    yield tipis(x + width - 5, y + 7, card.discovery.tipis)
    yield from _routes(x, y + 28, width, height - 68, card.discovery)
    yield path(f"M{x + 8:g} {y + height - 35:g} h{width - 16:g}", stroke="@line", stroke_width=1.5)
    yield from _value(x + width / 2, y + height - 30, card.discovery)


def _routes(x: float, y: float, width: float, height: float, found: Discovery) -> Iterator[str]:
    size = min(23.0, height / max(map(len, found.routes)) - 2)
    step = min(size + 16, width / len(found.routes))
    left = x + width / 2 - step * (len(found.routes) - 1) / 2 - size / 2
    for column, route in enumerate(found.routes):
        middle = left + step * column + size / 2
        yield path(f"M{middle:g} {y + height:g} v{-(size + 2) * len(route):.4g}", stroke="@trail", stroke_width=3)
        for row, terrain in enumerate(route):
            yield icon(left + step * column, y + height - (size + 2) * (row + 1), terrain, size)


def _value(x: float, y: float, found: Discovery) -> Iterator[str]:
    """Points in a disc, and a species as outline and name, centred on x."""
    if found.points:
        middle = x - 34 if found.species else x
        yield circle(middle, y + 13, 12.5, fill="@ink")
        yield text(middle, y + 18.5, found.points, 15, middle=True, fill="@paper", bold=True)
    if found.species:
        left = x - 18 if found.points else x - 40
        yield shape(SPECIES[found.species], left, y + 2, 23, "@leaf")
        yield text(left + 25, y + 18, found.species, SMALL)


def tribe(x: float, y: float, width: float, height: float, card: Card) -> Iterator[str]:
    """A tribe card that can be won: its attitude as a band with words, the dice it needs, and what they bring."""
    side, left, room = card.tribe, x + 6, width - 12
    yield box(x, y, width, height, rx=8, fill="@card", stroke="@line", stroke_width=1.5)
    yield path(
        f"M{x + 0.75:g} {y + 24:g} v-15 q0 -8 8 -8 h{width - 17.5:g} q8 0 8 8 v15 Z",
        fill=f"@band-{side.attitude}",
    )
    yield text(left, y + 18, f"{card.number} {side.attitude}", SMALL, bold=True, fill="@on-seat")
    yield tipis(x + width - 5, y + 62 if side.exploration else y + height - 24, side.tipis)
    yield fitted(left, y + 44, readable(side.name), room, 15, SMALL, bold=True)
    if side.exploration:
        needs = ("",) * len(side.exploration.needs)
        yield from _needs(left, y + 56, side.exploration, needs)
        yield from moves(left, y + height - 34, room, side.exploration, 24)
    else:
        yield from words(left, y + 72, terms.effect(side), 17)


def words(x: float, y: float, content: str, letters: int) -> Iterator[str]:
    """A sentence in lines of at most this many letters."""
    for at, line in enumerate(folded(content, letters)):
        yield text(x, y + 17 * at, line, SMALL)


# --- actions --------------------------------------------------------------------------------------------------------


def at_once(x: float, y: float, width: float, height: float, name: str, need: Need, done: bool) -> Iterator[str]:
    """An action that takes effect at once; crossed out if it was used this turn."""
    yield box(x, y, width, height, rx=6, fill="@tile", stroke="@line", stroke_width=1.5)
    yield text(x + 9, y + height / 2 + 5, name, 14.5, bold=True, fill="@faint" if done else "@ink")
    for at in range(need.dice):
        yield space(x + width - 34 - 31 * at, y + (height - 28) / 2, need.face, "", 28)
    if done:
        yield path(f"M{x + 5:g} {y + height / 2:g} h{width - 10:g}", stroke="@ink", stroke_width=3)


def action(
    width: float, height: float, name: str, tents: int, exploration: Exploration, laid: Action, seat: int
) -> Iterator[str]:
    """An exploration action: spaces for the dice it needs and for the Write die; a green edge when it is ready."""
    edge = {"stroke": "@good", "stroke_width": 3} if laid.ready else {"stroke": "@line", "stroke_width": 1.5}
    yield box(1, 1, width - 2, height - 2, rx=6, fill="@tile", **edge)
    yield from _name(name, width)
    yield tipis(width - 5, height - 24, tents)
    yield from _needs(6, 26, exploration, laid.dice, Owner(seat, laid.space))
    yield space(width - SPACE - 4, 26, "write", laid.write)
    yield from moves(7, height - 28, width - 14 - (34 if tents > 3 else 17 * tents), exploration)


class Owner(msgspec.Struct, frozen=True):
    """The seat that owns an action, and the action's word."""

    seat: int
    space: str

    def die(self, slot: int, colour: str, drawn: str) -> str:
        """A die on one of the spaces, marked with the words of commands: from any seat, and from its owner."""
        place = place_of(self.space, slot)
        return marked(
            f"place:{self.seat + 1}.{place} spot:{place}", f"a {colour} die on {place}", drawn, seat=self.seat
        )


def _needs(
    x: float, y: float, exploration: Exploration, laid: Sequence[str], owner: Owner | None = None
) -> Iterator[str]:
    """The prerequisite spaces, each with the number of dice that go to their bank."""
    for slot, (need, colour) in enumerate(zip(exploration.needs, laid, strict=True)):
        drawn = space(x, y, need.face, colour)
        yield owner.die(slot, colour, drawn) if owner and colour else drawn
        more = f"+{need.dice - 1}" if need.dice > 1 else ""
        yield text(x + SPACE, y + 21, more, 15) if more else ""
        x += SPACE + (21 if more else 2)


def lasting(width: float, height: float, name: str, tents: int, content: str) -> Iterator[str]:
    """A tribe card without dice. The last word of a long name has a line of its own, beside the tipis."""
    yield box(1, 1, width - 2, height - 2, rx=6, fill="@card", stroke="@line", stroke_width=1.5)
    first, _, last = name.rpartition(" ")
    number, _, called = name.partition(" ")
    two = fitting(called, width - NAME - DIGIT * len(number) - AFTER - 3, NAMES, bold=True) < SMALL
    yield from _name(first if two else name, width)
    yield text(NAME, 37, last, NAMES, bold=True) if two else ""
    yield tipis(width - 5, 25 if two else height - 24, tents)
    yield from words(8, 58 if two else 42, content, 16)


def _name(name: str, width: float) -> Iterator[str]:
    """The name of an action, after the number of its card in faint ink."""
    number, _, called = name.partition(" ") if name[0].isdigit() else ("", "", name)
    left = NAME + (DIGIT * len(number) + AFTER if number else 0)
    yield text(NAME, 19, number, SMALL, fill="@faint") if number else ""
    yield fitted(left, 19, called, width - left - 3, NAMES, SMALL, bold=True)


def species(x: float, y: float, name: str, count: int) -> str:
    """A species with the number of its cards."""
    ink = "@leaf" if count else "@line"
    return shape(SPECIES[name], x, y - 17, 22, ink) + text(x + 26, y, count, 16, fill="@ink" if count else "@faint")
