"""The position as PNG, since mail programs drop SVG. A picture is a comfort: without it the board of text stands."""

from __future__ import annotations

import logging

import resvg_py

WIDTH = 640
log = logging.getLogger(__name__)


def png(svg: str) -> bytes | None:
    """The drawing on white, 640 pixels wide; None if it cannot be drawn."""
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff"))
    except ValueError:
        log.exception("a position could not be drawn")
        return None
