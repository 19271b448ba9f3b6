"""The position as a PNG, since mail programs drop SVG. If it cannot be drawn, the mail has the board as text.

Boards are areas of plain colour, so a palette of 64 colours looks the same and makes the file a third of the size. It
holds every colour that the drawing declares, so that two players never share one; the rest are rims between two areas.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from xml.parsers import expat

from PIL import Image
from resvg import render, usvg

from engine.kit import arranged

WIDTH = 640
# A guide says what the legend says. A larger PNG is drawn without the supply, then without the players who are not to
# move, and only then with hard edges, which have no rims between two colours and save a quarter.
MORE, OTHERS = ("legend", "supply"), ("legend", "supply", "others")
CROPS = ((MORE[:1], False), (MORE, False), (OTHERS, False), (OTHERS, True))
COLOURS = (64, 32)
DECLARED = COLOURS[0] - 8  # a law of pictures allows fewer
MOST = 52_000  # bytes; with base64, which adds a third, the mail stays below 100 kB
OF_PART = 11_000  # bytes at most of them for the part that a telephone shows (`near`)
# Halving the colours leaves nine tenths of the bytes or more (measured for every game and number of players). Where
# that would be too large, draw less without trying it.
LEAST = 0.88
# With 32 colours a shape takes about 19 bytes, a line of words 200, a thousand pixels 23 (81 positions of all games, at
# most a fifth off near MOST). A drawing that cannot fit is not tried, since each try takes longer than everything else.
SHAPE, WORDS, PIXEL, DOUBT = 19.0, 200.0, 0.0226, 1.08
USUAL, BEST = 6, 9  # efforts of compression
AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
WHITE = (255, 255, 255, 255)
ROOT = re.compile(r"<svg\b[^>]*>")
BOX = re.compile(r'\sviewBox="([^"]*)"')
SEAT = re.compile(r'<g data-zone="(seat-[0-9]+)".*')
SHAPES = re.compile(r"<(?:path|rect|circle|ellipse|polygon)\b")
COLOUR = re.compile(r'"#([0-9a-f]{6}|[0-9a-f]{3})"')
LIMIT = re.compile(r' data-most="([0-9]+)"')
SIZE = re.compile(r'\s(?:width|height)="[^"]*"')
log = logging.getLogger(__name__)
_of_thread = threading.local()


def png(svg: str) -> bytes | None:
    """The drawing on white, 640 pixels wide; None if it cannot be drawn."""
    return safely(_fitting, svg)


def limited(svg: str, part: bytes | None) -> str:
    """The drawing, for a PNG beside which this one has room."""
    return svg if part is None else svg.replace("<svg", f'<svg data-most="{MOST - len(part)}"', 1)


def safely(draw: Callable[[str], bytes | None], svg: str) -> bytes | None:
    """What `draw` makes of the drawing; None if it cannot be drawn."""
    try:
        return draw(svg)
    except BaseException as wrong:  # a panic of the renderer is not an Exception, and must cost only the picture
        if not isinstance(wrong, (ValueError, RuntimeError, expat.ExpatError)) and not _is_panic(wrong):
            raise
        log.warning("a position could not be drawn: %s", type(wrong).__name__)  # its message may quote the drawing
        return None


def _is_panic(wrong: BaseException) -> bool:
    """The renderer's error class, found by name because no module exports it."""
    return type(wrong).__name__ == "PanicException"


def _fitting(svg: str) -> bytes:
    made, kept, limit = b"", declared(svg), LIMIT.search(svg)
    most = int(limit[1]) if limit else MOST
    for without, is_hard in CROPS:
        cropped = cropped_to(svg, without)
        if not is_hard and is_too_large(cropped, most):
            continue
        effort = BEST if is_hard else USUAL
        for made in fewer_colours(drawn(hard_edged(cropped) if is_hard else cropped, WIDTH), kept, effort):
            if len(made) <= most:
                return made
            if len(made) * LEAST > most and not is_hard:
                break
    return made


def cropped_to(svg: str, without: Sequence[str]) -> str:
    """The drawing without these zones; `others` are the players who are not to move, unless nobody is."""
    seats = {found[1]: ", to move</title>" in found[0] for found in SEAT.finditer(svg)}
    others = [name for name, moves in seats.items() if not moves] if any(seats.values()) else []
    return arranged(svg, 2, (*without, *others) if "others" in without else without)


def hard_edged(svg: str) -> str:
    """The drawing without half-covered pixels at the edges of its shapes; its words keep theirs."""
    return svg.replace("<svg", '<svg shape-rendering="crispEdges"', 1)


def is_too_large(svg: str, most: int = MOST) -> bool:
    """Whether the drawing certainly does not fit, by its shapes and its area."""
    _, _, wide, high = box_of(svg)
    drawn = len(SHAPES.findall(svg)) * SHAPE + svg.count("<text") * WORDS
    return drawn + WIDTH**2 * high / wide * PIXEL > most * DOUBT


def drawn(svg: str, width: int, ground: tuple[int, int, int, int] = WHITE) -> bytes:
    """The drawing as a PNG with all its colours. Broken XML is refused here: the renderer would panic and quote it."""
    expat.ParserCreate().Parse(svg, True)
    return bytes(render(usvg.Tree.from_str(sized(svg, width), _options()), AS_IT_IS, bg_color=ground))


def _options() -> usvg.Options:
    """With the system's fonts, found once: that takes two milliseconds. They must not be shared between threads."""
    if not hasattr(_of_thread, "options"):
        _of_thread.options = usvg.Options.default()
        _of_thread.options.load_system_fonts()
    found: usvg.Options = _of_thread.options
    return found


def sized(svg: str, width: int) -> str:
    """The drawing at this width, with the height that its box requires."""
    (_, _, wide, high), root = box_of(svg), ROOT.search(svg)
    assert root is not None
    size = f'<svg width="{width}" height="{width * high / wide:g}"'
    return svg[: root.start()] + size + SIZE.sub("", root[0]).removeprefix("<svg") + svg[root.end() :]


def viewed(svg: str, left: float, top: float, wide: float, high: float) -> str:
    """The part of the drawing in this box."""
    return BOX.sub(f' viewBox="{left:g} {top:g} {wide:g} {high:g}"', svg, count=1)


def box_of(svg: str) -> tuple[float, float, float, float]:
    root = ROOT.search(svg)
    box = BOX.search(root[0]) if root else None
    if box is None:
        raise ValueError("a drawing without a box")
    left, top, wide, high = map(float, box[1].split())
    if not (wide > 0 and high > 0):
        raise ValueError("a drawing of nothing")
    return left, top, wide, high


def declared(svg: str) -> bytes:
    """The colours that the drawing declares, as bytes of red, green and blue: the 56 that it uses most."""
    counts = Counter(COLOUR.findall(svg))
    long = (found if len(found) == 6 else "".join(digit * 2 for digit in found) for found, _ in counts.most_common())
    return bytes.fromhex("".join(dict.fromkeys(long)))[: 3 * DECLARED]


def fewer_colours(whole: bytes, kept: bytes, effort: int = USUAL) -> Iterator[bytes]:
    """The PNG with a palette of 64 colours, then of 32 beside those to keep; unchanged if that is smaller."""
    with Image.open(BytesIO(whole)) as image:
        flat = image.convert("RGB")
    for colours in COLOURS:
        yield min(_saved(flat, colours, kept, effort), whole, key=len)


def _saved(flat: Image.Image, colours: int, kept: bytes, effort: int) -> bytes:
    """Compress moderately, usually: the best compression takes eight times as long and saves a twentieth."""
    usual = flat.quantize(max(8, colours - len(kept) // 3), Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    table, file = Image.new("P", (1, 1)), BytesIO()
    table.putpalette(kept + bytes(usual.getpalette() or ())[: 768 - len(kept)])
    flat.quantize(palette=table, dither=Image.Dither.NONE).save(file, "PNG", compress_level=effort)
    return file.getvalue()
