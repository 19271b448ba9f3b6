"""A page as a screen reader reads it: Chromium's own accessibility tree, in the order in which it is read."""

from __future__ import annotations

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
