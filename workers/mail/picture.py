"""The position as PNG, since mail programs drop SVG. A picture is a comfort: without it the board of text stands.

Boards are areas of one colour: of 64 colours nobody sees that there were more, and the file is a third.
"""

from __future__ import annotations

import logging
from io import BytesIO

import resvg_py
from PIL import Image

WIDTHS = (640, 480, 400)
COLOURS = (64, 32)
# Octets, above which fewer colours are taken, and then a narrower drawing, which a telephone shows no smaller: base64
# adds a third, and the mail stays below 100 kB.
MOST = 55_000
log = logging.getLogger(__name__)


def png(svg: str) -> bytes | None:
    """The drawing on white, 640 pixels wide unless that takes too much; None if it cannot be drawn."""
    made = None
    for width in WIDTHS:
        try:
            drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, background="#ffffff"))
        except ValueError as wrong:
            log.warning("a position could not be drawn: %s", type(wrong).__name__)  # what it says may quote the drawing
            return None
        made = fewer_colours(drawn)
        if len(made) <= MOST:
            break
    return made


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
