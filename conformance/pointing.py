"""Checks of the marks on a picture, and of the picture as part of a page that runs no script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

from engine.game import Command, Game
from engine.kit import Word, called, format_command, pointed, view
from engine.selfplay import Walked

SVG = "{http://www.w3.org/2000/svg}"
MARKS = re.compile(r"[a-z]+:[a-z0-9._-]+( [a-z]+:[a-z0-9._-]+)*")
SEAT = re.compile(r"[1-9]")
ELEMENTS = {"svg", "g", "title", "text", "path", "rect", "circle", "ellipse", "polygon"}
WORD = re.compile(r"[a-z0-9._-]+")
EVERY = 13
WORDS = {f"{SVG}{name}" for name in ("g", "title", "text", "tspan")}
Marks = set[tuple[str, int | None]]


class Unmarked(AssertionError):
    """A command names something that is not in the picture, or the picture holds something forbidden."""


def marks_of(picture: str) -> Marks:
    """Every mark of a picture with the seat whose piece it is; raises Unmarked if the picture breaks the form."""
    root = ET.fromstring(picture)
    found: Marks = set()
    if root.tag != f"{SVG}svg":
        raise Unmarked("a picture is not SVG")
    for node in root.iter():
        _keeps_to_form(node)
        whose = node.attrib.get("data-seat")
        for mark in node.attrib.get("data-word", "").split():
            found |= {(mark, None), (mark, int(whose) - 1 if whose else None)}
    return found


def _keeps_to_form(node: ET.Element) -> None:
    """Drawn by presentation attributes alone: no script, no style, no address but within the picture."""
    if node.tag.removeprefix(SVG) not in ELEMENTS:
        raise Unmarked(f"an element <{node.tag}> in a picture")
    for name, value in node.attrib.items():
        plain = name.rpartition("}")[2]
        outward = plain == "href" and not value.startswith("#")
        if plain in ("style", "class") or plain.startswith("on") or outward or "url(" in value.replace("url(#", ""):
            raise Unmarked(f"an attribute {name}={value!r} in a picture")
    if "data-word" in node.attrib:
        _keeps_to_marks(node)


def _keeps_to_marks(node: ET.Element) -> None:
    if not MARKS.fullmatch(node.attrib["data-word"]):
        raise Unmarked(f"data-word={node.attrib['data-word']!r}")
    if not SEAT.fullmatch(node.attrib.get("data-seat", "1")):
        raise Unmarked(f"data-seat={node.attrib['data-seat']!r}")
    if len(node) == 0 or node[0].tag != f"{SVG}title" or not (node[0].text or "").strip():
        raise Unmarked(f"{node.attrib['data-word']} has no title")
    if all(one.tag in WORDS for one in node.iter()):  # the part of a picture in a mail is found by shapes
        raise Unmarked(f"{node.attrib['data-word']} has no shape")


def points_at_the_table(game: Game[Any], state: Any, seat: int, commands: Iterable[Command], names: Any) -> None:
    """Every word for a place or a piece is marked in the seat's picture, in the colour of its owner."""
    shown = marks_of(game.picture(view(game, state, seat), names))
    for command in commands:
        words_are_whole(game, command, seat, names)
        for word in pointed(command, seat):
            missing = [mark for mark in word.marks if (mark, word.seat) not in shown]
            if missing:
                raise Unmarked(
                    f"{_of(word, command)} points at {missing[0]}, which the picture of seat {seat + 1} lacks"
                )


def words_are_whole(game: Game[Any], command: Command, seat: int, names: Any) -> None:
    """The words of a command are its notation; each part can be a mark of a picture, and has something it is called."""
    words = pointed(command, seat)
    if " ".join(word.text for word in words) != format_command(command):
        raise Unmarked(f"the words of {command} are not its notation")
    for word in words:
        parts = word.parts or (word.text,)
        says = called(game, command, word, names)
        if len(says) != len(parts) or not all(says) or "+".join(parts) != word.text:
            raise Unmarked(f"{_of(word, command)} is called {says}")
        if not all(map(WORD.fullmatch, parts)):
            raise Unmarked(f"{_of(word, command)} cannot be a word of a picture")


def _of(word: Word, command: Command) -> str:
    whose = "" if word.seat is None else f" of seat {word.seat + 1}"
    return f"{word.text!r}{whose} in {command}"


def choices(steps: Iterable[Walked]) -> Iterator[Walked]:
    """Steps in which somebody chose: the first with each kind of command, and one now and then."""
    met: set[type[Command]] = set()
    for number, step in enumerate(step for step in steps if step.chosen is not None):
        kinds = set(map(type, step.legal))
        if number % EVERY == 0 or kinds - met:
            yield step
        met |= kinds
