"""A page as a screen reader reads it: Chromium's own accessibility tree, in the order in which it is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

CONTROLS = {"button", "checkbox", "combobox", "link", "radio", "searchbox", "slider", "spinbutton", "tab", "textbox"}
PLACES = {"banner", "contentinfo", "main", "navigation", "region"}
TOLD = {"alert", "status"}  # read aloud by themselves when their content changes


@dataclass(frozen=True)
class Heard:
    """One item that is read: its role, its name and its depth."""

    role: str
    name: str
    depth: int


def heard(page) -> list[Heard]:
    """Everything except bare text."""
    client = page.context.new_cdp_session(page)
    try:
        nodes = {node["nodeId"]: node for node in client.send("Accessibility.getFullAXTree")["nodes"]}
    finally:
        client.detach()
    return [one for one in _read(nodes, next(iter(nodes)), 0) if one.role not in ("StaticText", "InlineTextBox")]


def outline(page) -> list[str]:
    """Places, headings, controls and what is told, a line each."""
    told = CONTROLS | PLACES | TOLD | {"heading"}
    return [f"{one.role} {one.name}".strip() for one in heard(page) if one.role in told]


def nameless(page) -> list[Heard]:
    """Controls without a name."""
    return [one for one in heard(page) if one.role in CONTROLS and not one.name.strip()]


def _read(nodes: dict[str, Any], number: str, depth: int) -> Iterator[Heard]:
    node = nodes[number]
    if not node["ignored"]:
        yield Heard(node["role"]["value"], node.get("name", {}).get("value", ""), depth)
        depth += 1
    for child in node.get("childIds", ()):
        if child in nodes:
            yield from _read(nodes, child, depth)


GROUPS = {"dialog", "form", "group", "img", "InputTime", "list", "main", "navigation", "region", "tablist", "tabpanel"}
GLUED = re.compile(r"(?<![#\w-])(?=\w*[a-z])\w*(?:\d[A-Za-z]{3,}|[a-z]{3,}\d)\w*|[a-z][.!?:;][A-Z]|[a-z]{2}[A-Z][a-z]")
WORD = re.compile(r"[^\W\d_]{2,}|^[a-z]?\d+$")  # or a place or a number to choose
OWN = re.compile(r"[^\s/]*[./@:_-]\S*")  # addresses, keys and numbers of games are what they are


def faults(page) -> list[str]:
    """Controls whose names are empty, no words, words glued together, or those of another one in the same group."""
    found: list[str] = []
    groups: list[tuple[int, set[tuple[str, str]]]] = [(-1, set())]
    for one in heard(page):
        while groups[-1][0] >= one.depth:
            groups.pop()
        if one.role in GROUPS:
            groups.append((one.depth, set()))
        if one.role not in CONTROLS:
            continue
        said, met = (one.role, one.name), groups[-1][1]
        if one.role != "link" and said in met:
            found.append(f"two of {said}")
        met.add(said)
        if not one.name.strip() or GLUED.search(OWN.sub("", one.name)):
            found.append(f"{one.role}: {one.name!r}")
        elif one.role != "link" and not WORD.search(one.name):
            found.append(f"{one.role} without words: {one.name!r}")
    return found
