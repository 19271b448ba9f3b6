"""The pieces of the picture: dice, terrain, cards and actions, each drawn at a place."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from engine.games.discoveries import terms
from engine.games.discoveries.cards import RIVER, Card, Discovery, Exploration, Need
from engine.games.discoveries.state import Action

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
    return f'<text x="{x:g}" y="{y:g}"{given}>{content}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, **style: object) -> str:
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{given}/>'


def shape(path: str, x: float, y: float, size: float, fill: str) -> str:
    """A path of a field 24 units wide, at that size."""
    return f'<path transform="translate({x:g} {y:g}) scale({size / 24:g})" d="{path}" fill="{fill}"/>'


# --- dice -----------------------------------------------------------------------------------------------------------


def die(x: float, y: float, colour: str, face: str = "", size: float = 22) -> str:
    """A die; without a face where it will be thrown before it is used."""
    mark = INK if colour == "yellow" else "#fff"
    frame = box(x, y, size, size, FILLS[colour], rx=4, stroke=INK)
    return frame + (shape(SHAPES[face], x + 3, y + 3, size - 6, mark) if face else "")


def space(x: float, y: float, face: str, colour: str, size: float = 22) -> str:
    """A space for a die: its face in faint ink, or the die that lies on it."""
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
    """Tents in a row that ends at x."""
    tent = "M12 3 L22 22 H2 Z"
    return "".join(shape(tent, x - 15 * (at + 1), y, 14, "#a4562b") for at in range(count))


def moves(x: float, y: float, exploration: Exploration) -> Iterator[str]:
    """What an exploration action gives, in icons."""
    size = 14 if len(exploration.gives) < 11 else 11
    for part in _parts(exploration):
        if part in "RM":
            yield icon(x, y, part, size)
            x += size + 1
        else:
            yield text(x + 2, y + size - 2, part, font_size=11)
            x += 6 + 6 * min(len(part), 2)


def _parts(exploration: Exploration) -> Sequence[str]:
    if exploration.changes:
        return ("R", "&#8596;", "M")
    if exploration.extends:
        return ("+", *exploration.extends)
    first, *other = exploration.moves
    return (*first, *(part for move in other for part in ("or", *move)))


# --- cards ----------------------------------------------------------------------------------------------------------


def discovery(x: float, y: float, width: float, height: float, card: Card) -> Iterator[str]:
    """A discovery card: its routes from the bottom up, and below them what it is worth."""
    yield box(x, y, width, height, PARCHMENT, rx=6, stroke=EDGE)
    yield text(x + 7, y + 16, card.number, font_size=13, font_weight="bold")
    yield tipis(x + width - 4, y + 4, min(card.discovery.tipis, 4))
    yield from _routes(x, y + 22, width, height - 52, card.discovery)
    yield f'<path d="M{x + 6:g} {y + height - 27:g} h{width - 12:g}" stroke="{RIM}"/>'
    yield from _value(x + width / 2, y + height - 24, card.discovery)


def _routes(x: float, y: float, width: float, height: float, found: Discovery) -> Iterator[str]:
    size = min(20.0, height / max(map(len, found.routes)) - 2)
    step = min(size + 12, width / len(found.routes))
    left = x + width / 2 - step * (len(found.routes) - 1) / 2 - size / 2
    for column, route in enumerate(found.routes):
        for row, terrain in enumerate(route):
            yield icon(left + step * column, y + height - (size + 1.5) * (row + 1), terrain, size)


def _value(x: float, y: float, found: Discovery) -> Iterator[str]:
    """Points in a disc, a species as its outline and name, around the middle x."""
    if found.points:
        middle = x - 26 if found.species else x
        yield f'<circle cx="{middle:g}" cy="{y + 11:g}" r="10.500" fill="{INK}"/>'
        yield text(middle, y + 15.5, found.points, text_anchor="middle", fill="#fff", font_weight="bold", font_size=13)
    if found.species:
        left = x - 12 if found.points else x - 32
        yield shape(SPECIES[found.species], left, y + 2, 18, "#4d6b3a")
        yield text(left + 21, y + 15, found.species, font_size=10.5)


def tribe(x: float, y: float, width: float, height: float, card: Card) -> Iterator[str]:
    """A tribe card that can be won: its attitude in the band at the left."""
    side = card.tribe
    yield box(x, y, width, height, PARCHMENT, rx=6, stroke=EDGE)
    yield box(x, y, 7, height, ATTITUDES[side.attitude], rx=3)
    yield text(x + 14, y + 17, f"{card.number} {side.name}", font_size=12, font_weight="bold")
    yield text(x + 14, y + 32, side.attitude, font_size=10.5, fill=ATTITUDES[side.attitude], font_weight="bold")
    yield tipis(x + width - 4, y + 21, side.tipis)
    if side.exploration:
        yield from _needs(x + 14, y + 37, side.exploration, ("",) * len(side.exploration.needs), 18)
        yield from moves(x + 14, y + 58, side.exploration)
    else:
        yield from words(x + 14, y + 49, terms.effect(side), 26)


def words(x: float, y: float, content: str, width: int, size: float = 10.5) -> Iterator[str]:
    """A sentence in lines of so many letters."""
    for at, line in enumerate(wrapped(content, width)):
        yield text(x, y + 13 * at, line, font_size=size)


def wrapped(content: str, width: int, most: int | None = None) -> list[str]:
    return textwrap.wrap(content, width, break_on_hyphens=False, max_lines=most, placeholder=" ...")


# --- actions --------------------------------------------------------------------------------------------------------


def action(x: float, y: float, width: float, name: str, exploration: Exploration, laid: Action) -> Iterator[str]:
    """An exploration action: spaces for the dice it needs, then for the Write die; a thick edge when it is ready."""
    edge = {"stroke": INK, "stroke_width": 2} if laid.ready else {"stroke": RIM}
    yield box(x, y, width, 60, SNOW, rx=5, **edge)
    yield text(x + 8, y + 15, name, font_size=11, font_weight="bold")
    yield from moves(x + 8, y + 43, exploration)
    yield from _needs(x + 8, y + 20, exploration, laid.dice, 19)
    yield space(x + width - 26, y + 20, "write", laid.write, 19)


def _needs(x: float, y: float, exploration: Exploration, laid: Sequence[str], size: float) -> Iterator[str]:
    """The prerequisite spaces; beside each the dice that go to their bank."""
    for need, colour in zip(exploration.needs, laid, strict=True):
        yield space(x, y, need.face, colour, size)
        more = _discarded(need)
        yield text(x + size + 3, y + size - 6, more, font_size=10, fill=FAINT) if more else ""
        x += size + (26 if more else 6)


def _discarded(need: Need) -> str:
    return f"+{need.dice - 1}" if need.dice > 1 else ""


def lasting(x: float, y: float, width: float, name: str, content: str) -> Iterator[str]:
    """A tribe card without dice."""
    yield box(x, y, width, 60, PARCHMENT, rx=5, stroke=RIM)
    yield text(x + 8, y + 15, name, font_size=11, font_weight="bold")
    yield from words(x + 8, y + 33, content, 28)
