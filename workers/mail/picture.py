"""The position as a PNG, since mail programs drop SVG. If it cannot be drawn, the mail has the board as text.

Boards are areas of plain colour, so a palette of 64 colours looks the same and makes the file a third of the size.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from io import BytesIO
from xml.parsers import expat

from PIL import Image
from resvg import render, usvg

WIDTHS = (640, 480, 400)
COLOURS = (64, 32)
# Bytes. A larger PNG gets fewer colours, then a narrower drawing, which a phone shows at the same size. With base64,
# which adds a third, the mail stays below 100 kB.
MOST = 55_000
# Halving the colours leaves seven to nine tenths of the bytes (measured for every game and number of players, as
# tests.kit.pictures draws them). Where even this share would be too large, draw narrower without trying it.
LEAST = 0.7
# Letters and area make up most of a PNG: with 32 colours at 640 pixels about 25 bytes a letter and 18 a thousand pixels
# (102 positions of all games; near MOST this is at most a twentieth too much). A drawing that cannot fit at that width
# is not tried at it, since each try takes longer than everything else in a mail.
LETTER, PIXEL, DOUBT = 25.0, 0.018, 1.05
AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
WHITE = (255, 255, 255, 255)
ROOT = re.compile(r"<svg\b[^>]*>")
BOX = re.compile(r'\sviewBox="([^"]*)"')
TITLES = re.compile(r"<title>[^<]*</title>")
LETTERS = re.compile(r">([^<]+)<")
SIZE = re.compile(r'\s(?:width|height)="[^"]*"')
log = logging.getLogger(__name__)


def png(svg: str) -> bytes | None:
    """The drawing on white, 640 pixels wide unless that is too large; None if it cannot be drawn."""
    try:
        return _fitting(svg)
    except BaseException as wrong:  # a panic of the renderer is not an Exception, and must cost only the picture
        if not isinstance(wrong, (ValueError, RuntimeError, expat.ExpatError)) and not _is_panic(wrong):
            raise
        log.warning("a position could not be drawn: %s", type(wrong).__name__)  # its message may quote the drawing
        return None


def _is_panic(wrong: BaseException) -> bool:
    """The renderer's error class, found by name because no module exports it."""
    return type(wrong).__name__ == "PanicException"


def _fitting(svg: str) -> bytes:
    made = b""
    for width in WIDTHS[is_too_large(svg) :]:
        for made in fewer_colours(drawn(svg, width)):
            if len(made) <= MOST:
                return made
            if len(made) * LEAST > MOST and width != WIDTHS[-1]:
                break
    return made


def is_too_large(svg: str) -> bool:
    """Whether the drawing certainly does not fit at the largest width, by its letters and its area."""
    letters = sum(len(text.strip()) for text in LETTERS.findall(TITLES.sub("", svg)))
    _, _, wide, high = box_of(svg)
    return letters * LETTER + WIDTHS[0] ** 2 * high / wide * PIXEL > MOST * DOUBT


def drawn(svg: str, width: int, ground: tuple[int, int, int, int] = WHITE) -> bytes:
    """The drawing as a PNG with all its colours. Broken XML is refused here: the renderer would panic and quote it."""
    expat.ParserCreate().Parse(svg, True)
    options = usvg.Options.default()  # takes a millisecond; must not be shared between threads
    options.load_system_fonts()
    return bytes(render(usvg.Tree.from_str(sized(svg, width), options), AS_IT_IS, bg_color=ground))


def sized(svg: str, width: int) -> str:
    """The drawing at this width, with the height that its box requires."""
    (_, _, wide, high), root = box_of(svg), ROOT.search(svg)
    assert root is not None
    size = f'<svg width="{width}" height="{width * high / wide:g}"'
    return svg[: root.start()] + size + SIZE.sub("", root[0]).removeprefix("<svg") + svg[root.end() :]


def box_of(svg: str) -> tuple[float, float, float, float]:
    root = ROOT.search(svg)
    box = BOX.search(root[0]) if root else None
    if box is None:
        raise ValueError("a drawing without a box")
    left, top, wide, high = map(float, box[1].split())
    if not (wide > 0 and high > 0):
        raise ValueError("a drawing of nothing")
    return left, top, wide, high


def fewer_colours(whole: bytes) -> Iterator[bytes]:
    """The PNG with a palette of 64 colours, then of 32; each time unchanged if that is smaller."""
    with Image.open(BytesIO(whole)) as image:
        flat = image.convert("RGB")
    for colours in COLOURS:
        yield min(_saved(flat, colours), whole, key=len)


def _saved(flat: Image.Image, colours: int) -> bytes:
    """Compress moderately: the best compression takes eight times as long and saves a twentieth."""
    file = BytesIO()
    flat.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()
