"""The position as PNG, since mail programs drop SVG. A picture is a comfort: without it the board of text stands.

Boards are areas of one colour: of 64 colours nobody sees that there were more, and the file is a third.
"""

from __future__ import annotations

import logging
from io import BytesIO

import resvg_py
from PIL import Image

WIDTH = 640
COLOURS = (64, 32)
MOST = 55_000  # octets, above which fewer colours are taken: base64 adds a third, and the mail stays below 100 kB
log = logging.getLogger(__name__)


def png(svg: str) -> bytes | None:
    """The drawing on white, 640 pixels wide; None if it cannot be drawn."""
    try:
        drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff"))
    except ValueError as wrong:
        log.warning("a position could not be drawn: %s", type(wrong).__name__)  # what it says may quote the drawing
        return None
    return fewer_colours(drawn)


def fewer_colours(drawn: bytes) -> bytes:
    """The same with a palette; as it was, if that is smaller."""
    with Image.open(BytesIO(drawn)) as whole:
        flat = whole.convert("RGB")
    made = drawn
    for colours in COLOURS:
        made = min(_saved(flat, colours), drawn, key=len)
        if len(made) <= MOST:
            break
    return made


def _saved(flat: Image.Image, colours: int) -> bytes:
    """Not packed as hard as can be: that would take eight times as long, for a twentieth of the octets."""
    file = BytesIO()
    flat.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()
