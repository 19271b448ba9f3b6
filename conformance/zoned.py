"""Laws of pictures as a page needs them: zones, sizes of words and targets, titles, colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from conformance.geometry import TALL, Box, boxes, united
from engine.game import Game
from engine.kit import arranged, view
from engine.kit.zones import COLUMN, MARGIN

SVG = "{http://www.w3.org/2000/svg}"
PHONE = 360 * COLUMN / (COLUMN + 2 * MARGIN)  # pixels of a column on a narrow telephone
WORDS, TARGET = 11.0, 23.5  # pixels, the least there
NARROW, BEYOND = 440, 3.0  # a player's zone, and how far a shape may reach beyond a zone
COLOURS = 52  # a PNG has 64 colours, some of them for the rims between two
COLOUR = re.compile(r'"(#[0-9a-f]{3,6}|none)"')
HINT = re.compile(r"<\w+ [^<>]*stroke-dasharray=[^<>]*/>")


class Misshapen(AssertionError):
    """A picture breaks a law of zones."""


def zones_of(picture: str) -> dict[str, ET.Element]:
    """The zones by name; everything but the paper is in one."""
    root = ET.fromstring(picture)
    paper, group = root
    if paper.tag != f"{SVG}rect" or group.tag != f"{SVG}g":
        raise Misshapen("a picture is its paper and a group of zones")
    found = {zone.get("data-zone", ""): zone for zone in group}
    if "" in found or len(found) != len(group) or not set(found) - {"head", "legend"}:
        raise Misshapen(f"zones {[zone.get('data-zone') for zone in group]}")
    return found


def box_of(zone: ET.Element) -> Box:
    left, top, width, height = map(float, zone.get("data-box", "").split())
    if (left, top) != (0, 0) or width <= 0 or height < 0:
        raise Misshapen(f"the box {zone.get('data-box')} of a zone")
    return left, top, width, height


def look_at_zones(game: Game[Any], state: Any, seat: int | None, names: tuple[str, ...]) -> None:
    """All laws of one position, as this seat sees it."""
    seen = view(game, state, seat)
    light, dark = (game.picture(seen, names, palette) for palette in ("light", "dark"))
    zones = zones_of(light)
    _players_have_zones(zones, len(names))
    for name, zone in zones.items():
        _words_are_large(name, zone)
        _targets_are_large(name, zone)
        _stays_inside(name, zone)
    _colours_are_roles(light, dark)
    for columns in (1, 2, 3):
        again = zones_of(arranged(light, columns, ("head", "legend")))
        if list(again) != [name for name in zones if name not in ("head", "legend")]:
            raise Misshapen(f"{list(again)} remain of {list(zones)}")


def _players_have_zones(zones: dict[str, ET.Element], seats: int) -> None:
    found = [name for name in zones if name.startswith("seat-")]
    if found and found != [f"seat-{seat + 1}" for seat in range(seats)]:
        raise Misshapen(f"{seats} players have the zones {found}")
    for name in found:
        if box_of(zones[name])[2] > NARROW:
            raise Misshapen(f"the zone {name} is wider than {NARROW}")


def _words_are_large(name: str, zone: ET.Element) -> None:
    """As they are drawn: a group may make its words smaller."""
    pixel = box_of(zone)[2] / PHONE
    for node, (_, top, _, bottom) in boxes(zone):
        size = (bottom - top) / TALL
        if node.tag == f"{SVG}text" and size < WORDS * pixel:
            raise Misshapen(f"{node.text!r} in {name} is {size:.1f} high, not {WORDS * pixel:.1f}")


def _targets_are_large(name: str, zone: ET.Element) -> None:
    pixel = box_of(zone)[2] / PHONE
    for node in zone.iter():
        if "data-word" in node.attrib:
            found = united(box for _, box in boxes(node))
            wide, high = (found[2] - found[0], found[3] - found[1]) if found else (0, 0)
            if min(wide, high) < TARGET * pixel:
                size = f"{wide:.0f} x {high:.0f}, not {TARGET * pixel:.0f}"
                raise Misshapen(f"{node.get('data-word')} in {name} is {size}")


def _stays_inside(name: str, zone: ET.Element) -> None:
    _, _, width, height = box_of(zone)
    for node, (left, top, right, bottom) in boxes(zone):
        if left < -BEYOND or top < -BEYOND or right > width + BEYOND or bottom > height + BEYOND:
            what = node.text or ET.tostring(node, "unicode")[:90]
            found = f"{left:.0f} {top:.0f} {right:.0f} {bottom:.0f}"
            raise Misshapen(f"{what!r} reaches {found} in {name}, {width:g} x {height:g}")


def _colours_are_roles(light: str, dark: str) -> None:
    """Both pictures differ in their colours alone, which are few enough for a PNG."""
    if COLOUR.sub("", light) != COLOUR.sub("", dark):
        raise Misshapen("a dark picture differs from a light one in more than its colours")
    if light == dark:
        raise Misshapen("a dark picture has the colours of a light one")
    for drawn in (light, dark):
        if len(set(COLOUR.findall(drawn))) > COLOURS:
            raise Misshapen(f"{len(set(COLOUR.findall(drawn)))} colours in a picture")


def look_at_slots(pictures: Sequence[str]) -> None:
    """Every position has the same zones in the same order, and the first one below the head keeps its size."""
    first, *others = map(zones_of, pictures)
    for zones in others:
        if list(zones) != list(first):
            raise Misshapen(f"zones {list(zones)} after {list(first)}")
        board = next(name for name in zones if name != "head")
        if box_of(zones[board]) != box_of(first[board]):
            raise Misshapen(f"the zone {board} changes its size")


def look_at_titles(before: str, after: str) -> None:
    """What looks different is called something different. Hints, which are dashed, and the head do not count."""
    one, two = (zones_of(HINT.sub("", picture)) for picture in (before, after))
    for name in set(one) & set(two) - {"head"}:
        same_titles = titles_of(one[name]) == titles_of(two[name])
        if same_titles and _drawing(one[name]) != _drawing(two[name]):
            raise Misshapen(f"the zone {name} has changed and none of its titles has")


def titles_of(zone: ET.Element) -> list[str]:
    return [title.text or "" for title in zone.iter(f"{SVG}title")]


def _drawing(zone: ET.Element) -> str:
    return "".join(ET.tostring(child, "unicode") for child in zone)
