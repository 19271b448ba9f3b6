"""The pieces of the picture: dice, terrain, cards and actions."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import msgspec

from engine.games.discoveries import terms
from engine.games.discoveries.cards import RIVER, Card, Discovery, Exploration, Need
from engine.games.discoveries.changes import place_of
from engine.games.discoveries.state import Action
from engine.kit import escape, fitting, marked, readable

INK, FAINT, PAPER, PARCHMENT, EDGE, RIM = "#3b2f23", "#8a7a64", "#fbf6ea", "#f3e7c9", "#b59b6a", "#d9c79c"
FILLS = {"red": "#b93a2e", "blue": "#2f679c", "green": "#3c8450", "yellow": "#e2b33a", "grey": "#8c8c88"}
WATER, ROCK, SNOW = "#5d9fc4", "#8d7558", "#f4f1ea"
ATTITUDES = {"friendly": "#b97d14", "wary": "#b93a2e"}
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


def text(x: float, y: float, content: object, **style: object) -> str:
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:g}" y="{y:g}"{given}>{escape(str(content))}</text>'


def fitted(x: float, y: float, content: str, room: float, size: float, **style: object) -> str:
    """A text at a font size that fits the room."""
    return text(x, y, content, font_size=fitting(content, room, size, bold=True), **style)


def box(x: float, y: float, width: float, height: float, fill: str, **style: object) -> str:
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{given}/>'


def shape(path: str, x: float, y: float, size: float, fill: str) -> str:
    """A path drawn on a field 24 units wide, scaled to this size."""
    return f'<path transform="translate({x:g} {y:g}) scale({size / 24:g})" d="{path}" fill="{fill}"/>'


# --- dice -----------------------------------------------------------------------------------------------------------


def die(x: float, y: float, colour: str, face: str = "", size: float = 22) -> str:
    """A die; without a face where it will be rolled before it is used."""
    mark = INK if colour == "yellow" else "#fff"
    frame = box(x, y, size, size, FILLS[colour], rx=4, stroke=INK)
    return frame + (shape(SHAPES[face], x + 3, y + 3, size - 6, mark) if face else "")


def space(x: float, y: float, face: str, colour: str, size: float = 22) -> str:
    """A space for a die: the face it takes in faint ink, or the die on it."""
    if colour:
        return die(x, y, colour, "" if face == "any" else face, size)
    frame = box(x, y, size, size, SNOW, rx=4, stroke=FAINT, stroke_dasharray="3 2")
    if face == "any":
        return frame + text(x + size / 2, y + size - 6, "?", text_anchor="middle", fill=FAINT, font_weight="bold")
    return frame + shape(SHAPES[face], x + 3, y + 3, size - 6, FAINT)


# --- terrain and tipis ----------------------------------------------------------------------------------------------


def icon(x: float, y: float, terrain: str, size: float) -> str:
    """One river or one mountain."""
    if terrain == RIVER:
        wave = "M3 9 q4.500 -5 9 0 t9 0 M3 16 q4.500 -5 9 0 t9 0"
        stroke = f'fill="none" stroke="#fff" stroke-width="2" transform="translate({x:g} {y:g}) scale({size / 24:g})"'
        return box(x, y, size, size, WATER, rx=size / 6) + f'<path d="{wave}" {stroke}/>'
    peak = shape("M2 21 L12 4 L22 21 Z", x, y, size, ROCK) + shape(
        "M8.500 10 L12 4 L15.500 10 L12 12 Z", x, y, size, SNOW
    )
    return box(x, y, size, size, "#e3d5b4", rx=size / 6) + peak


def tipis(x: float, y: float, count: int) -> str:
    """Tipis in a row that ends at x; more than three are one tipi and a number."""
    tent = "M12 3 L22 22 H2 Z"
    if count > 3:
        return shape(tent, x - 16, y, 15, "#a4562b") + text(x - 18, y + 14, count, text_anchor="end", font_size=14)
    return "".join(shape(tent, x - 16 * (at + 1), y, 15, "#a4562b") for at in range(count))


def moves(x: float, y: float, room: float, exploration: Exploration) -> Iterator[str]:
    """The icons that an exploration action gives, as large as the room allows."""
    parts = _parts(exploration)
    size = min(18.0, room / sum(1.3 if len(part) > 1 else 1.06 for part in parts))
    for part in parts:
        if part in "RM":
            yield icon(x, y, part, size)
            x += size * 1.06
        else:
            yield text(x + 1, y + size * 0.8, part, font_size=round(size * 0.8, 1))
            x += size * (1.3 if len(part) > 1 else 1.06)


def _parts(exploration: Exploration) -> Sequence[str]:
    if exploration.changes:
        return ("R", "\u2194", "M")
    if exploration.extends:
        return ("+", *exploration.extends)
    first, *other = exploration.moves
    return (*first, *(part for move in other for part in ("or", *move)))


# --- cards ----------------------------------------------------------------------------------------------------------


def discovery(x: float, y: float, width: float, height: float, card: Card) -> Iterator[str]:
    """A discovery card: its routes from the bottom up, and below them what it is worth."""
    yield box(x, y, width, height, PARCHMENT, rx=6, stroke=EDGE)
    yield text(x + 7, y + 18, card.number, font_size=16, font_weight="bold")
    yield tipis(x + width - 4, y + 4, card.discovery.tipis)
    yield from _routes(x, y + 24, width, height - 56, card.discovery)
    yield f'<path d="M{x + 6:g} {y + height - 30:g} h{width - 12:g}" stroke="{RIM}"/>'
    yield from _value(x + width / 2, y + height - 27, card.discovery)


def _routes(x: float, y: float, width: float, height: float, found: Discovery) -> Iterator[str]:
    size = min(24.0, height / max(map(len, found.routes)) - 2)
    step = min(size + 14, width / len(found.routes))
    left = x + width / 2 - step * (len(found.routes) - 1) / 2 - size / 2
    for column, route in enumerate(found.routes):
        for row, terrain in enumerate(route):
            yield icon(left + step * column, y + height - (size + 1.5) * (row + 1), terrain, size)


def _value(x: float, y: float, found: Discovery) -> Iterator[str]:
    """Points in a disc, and a species as outline and name, centred on x."""
    if found.points:
        middle = x - 50 if found.species else x
        yield f'<circle cx="{middle:g}" cy="{y + 13:g}" r="12" fill="{INK}"/>'
        yield text(middle, y + 18.5, found.points, text_anchor="middle", fill="#fff", font_weight="bold", font_size=15)
    if found.species:
        left = x - 34 if found.points else x - 42
        yield shape(SPECIES[found.species], left, y + 2, 22, "#4d6b3a")
        yield text(left + 25, y + 18, found.species, font_size=14)


def tribe(x: float, y: float, width: float, height: float, card: Card) -> Iterator[str]:
    """A tribe card that can be won; its attitude is shown in words and as a band on the left."""
    side, left, room = card.tribe, x + 14, width - 20
    yield box(x, y, width, height, PARCHMENT, rx=6, stroke=EDGE)
    yield box(x, y, 7, height, ATTITUDES[side.attitude], rx=3)
    yield fitted(left, y + 18, f"{card.number} {readable(side.name)}", room, 15, font_weight="bold")
    yield text(left, y + 35, side.attitude, font_size=14, fill=ATTITUDES[side.attitude], font_weight="bold")
    yield tipis(x + width - 4, y + 22, side.tipis)
    if side.exploration:
        yield from _needs(left, y + 42, side.exploration, ("",) * len(side.exploration.needs), 26)
        yield from moves(left, y + 78, room, side.exploration)
    else:
        yield from words(left, y + 58, terms.effect(side), 21)


def words(x: float, y: float, content: str, letters: int) -> Iterator[str]:
    """A sentence in lines of at most this many letters."""
    for at, line in enumerate(wrapped(content, letters)):
        yield text(x, y + 17 * at, line, font_size=14)


def wrapped(content: str, letters: int) -> list[str]:
    return textwrap.wrap(content, letters, break_on_hyphens=False)


# --- actions --------------------------------------------------------------------------------------------------------


def at_once(x: float, y: float, width: float, height: float, name: str, need: Need, done: bool) -> Iterator[str]:
    """An action that takes effect at once; crossed out if it was used this turn."""
    yield box(x, y, width, height, SNOW, rx=5, stroke=RIM)
    yield text(x + 6, y + 28, name, font_size=15, font_weight="bold")
    for at in range(need.dice):
        yield space(x + width - 30 - 28 * at, y + 10, need.face, "", 25)
    if done:
        yield f'<path d="M{x + 4:g} {y + height / 2:g} h{width - 8:g}" stroke="{INK}" stroke-width="3"/>'


def action(
    width: float, height: float, name: str, tents: int, exploration: Exploration, laid: Action, seat: int
) -> Iterator[str]:
    """An exploration action: spaces for the dice it needs and for the Write die; a thick edge when it is ready."""
    edge = {"stroke": INK, "stroke_width": 2} if laid.ready else {"stroke": RIM}
    yield box(0, 0, width, height - 2, SNOW, rx=5, **edge)
    yield fitted(6, 17, name, width - 14 - (34 if tents > 3 else 16 * tents), 15, font_weight="bold")
    yield tipis(width - 4, 4, tents)
    many = max(3, len(laid.dice))
    size = 25 if many == 3 else 22
    yield from _needs(6, 23, exploration, laid.dice, size, Owner(seat, laid.space))
    yield space(width - size - 6, 23, "write", laid.write, size)
    yield from moves(6, 52, width - 12, exploration)


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
    x: float, y: float, exploration: Exploration, laid: Sequence[str], size: float, owner: Owner | None = None
) -> Iterator[str]:
    """The prerequisite spaces, each with the number of dice that go to their bank."""
    for slot, (need, colour) in enumerate(zip(exploration.needs, laid, strict=True)):
        drawn = space(x, y, need.face, colour, size)
        yield owner.die(slot, colour, drawn) if owner and colour else drawn
        more = _discarded(need)
        yield text(x + size + 2, y + size - 7, more, font_size=14) if more else ""
        x += size + (25 if more else 6)


def _discarded(need: Need) -> str:
    return f"+{need.dice - 1}" if need.dice > 1 else ""


def lasting(width: float, height: float, name: str, tents: int, content: str) -> Iterator[str]:
    """A tribe card without dice."""
    yield box(0, 0, width, height - 2, PARCHMENT, rx=5, stroke=RIM)
    yield fitted(6, 17, name, width - 14 - (34 if tents > 3 else 16 * tents), 15, font_weight="bold")
    yield tipis(width - 4, 4, tents)
    yield from words(6, 38, content, 22)
