"""A certificate as an SVG document to print: one A4 page in black on white, with fonts that every machine has.

Lengths are millimetres. The width of a text depends on the reader's fonts, so lines are broken as if letters were
wide. The code (QR, error correction M) holds `Certificate.head`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from html import escape

import segno

from client.certificate import CHECK, HOLDERS, Certificate, as_sentence, holder_words, place_words
from client.entry_text import seat_name
from engine.record.audit import Holder

LEFT, RIGHT = 20.0, 190.0
FOOT = 205.0  # top of the section on the end of the log, which always has its place
SANS = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif"
MONO = "DejaVu Sans Mono, Menlo, Consolas, Courier New, monospace"
SERIF = "DejaVu Serif, Georgia, Times New Roman, serif"
WIDE = {SANS: 0.57, SERIF: 0.65, MONO: 0.605}  # of a letter, relative to the font size
CODE = "The code holds the three lines that the server has signed."
MOST_LINES = 4
LEAST_ROW, ROW = 2.2, 4.6
LEAST_SIZE = 1.3


class Canvas:
    """A drawing and `y`, its lower end."""

    def __init__(self) -> None:
        self.y = 0.0
        self.drawn: list[str] = []

    def put(
        self, x: float, words: str, size: float, font: str = SANS, *, bold: bool = False, to: str = "start"
    ) -> None:
        """One line of text at `y`."""
        weight = ' font-weight="bold"' if bold else ""
        anchor = f' text-anchor="{to}"' if to else ""
        place = f'x="{x:.2f}" y="{self.y:.2f}" font-size="{size:.2f}" font-family="{font}"'
        self.drawn.append(f'<text {place}{weight}{anchor} xml:space="preserve">{escape(words)}</text>')

    def lines(self, x: float, words: str, size: float, font: str = SANS, most: int = MOST_LINES) -> None:
        """Text broken at the right margin; `y` is then that of the last line."""
        for number, line in enumerate(broken(words, RIGHT - x, size, font, most)):
            self.y += number and 1.4 * size
            self.put(x, line, size, font)

    def squeezed(self, x: float, words: str, size: float, font: str = SANS, most: int = MOST_LINES) -> None:
        """Like `lines`, but in smaller letters if there would be more lines than this."""
        while size > LEAST_SIZE and len(broken(words, RIGHT - x, size, font, most + 1)) > most:
            size -= 0.1
        self.lines(x, words, size, font, most)

    def rule(self) -> None:
        self.drawn.append(f'<path d="M{LEFT} {self.y:.2f}H{RIGHT}" stroke="#000" stroke-width="0.3"/>')


def broken(words: str, width: float, size: float, font: str = SANS, most: int = MOST_LINES) -> list[str]:
    """The text in lines that fit; a text of more than `most` lines ends with dots."""
    letters = int(width / (size * WIDE[font]))
    lines = textwrap.wrap(words, letters, break_on_hyphens=False) or [""]
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][: letters - 4]} ..."]


def fitting(words: str, width: float, size: float, font: str = MONO) -> float:
    """The font size at which an unbroken line fits."""
    return min(size, width / (max(1, len(words)) * WIDE[font]))


def svg(page: Certificate) -> str:
    """The page as an SVG document."""
    on = Canvas()
    _head(on, page)
    _about(on, page)
    _result(on, page)
    _seats(on, page)
    _foot(on, page)
    drawn = "\n".join(on.drawn)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">\n'
        f"<title>{escape(page.title)}: {escape(page.head.splitlines()[0])}</title>\n"
        '<rect width="210" height="297" fill="#fff"/>\n'
        '<rect x="10" y="10" width="190" height="277" fill="none" stroke="#000" stroke-width="0.6"/>\n'
        '<rect x="11.5" y="11.5" width="187" height="274" fill="none" stroke="#000" stroke-width="0.2"/>\n'
        f"{drawn}\n</svg>\n"
    )


def _head(on: Canvas, page: Certificate) -> None:
    on.drawn.append('<rect x="146" y="19" width="44" height="15" fill="none" stroke="#000" stroke-width="0.8"/>')
    on.y = 29.2
    on.put(168, page.verdict.upper(), 8, bold=True, to="middle")
    on.y = 27
    on.put(LEFT, "Certificate of a game", 8, SERIF, bold=True)
    on.y = 36
    on.put(LEFT, page.title, fitting(page.title, 120, 5.5, SERIF), SERIF)
    on.y = 41
    on.rule()
    for said in filter(None, (page.reservations, page.why)):
        on.y += 5.2
        on.lines(LEFT, as_sentence(said), 3.2)


def _about(on: Canvas, page: Certificate) -> None:
    on.y += 1
    for label, value in page.about:
        on.y += 5.2
        on.put(LEFT, label, 3.2, bold=True)
        on.lines(LEFT + 26, value, 3.2)


def _result(on: Canvas, page: Certificate) -> None:
    on.y += 7
    on.put(LEFT, "Result", 3.2, bold=True)
    on.lines(LEFT + 26, page.result, 3.2)
    if not 0 < len(page.headings) <= 9 or len(page.rows) > 8:
        return
    size, step = 2.9, (RIGHT - LEFT - 60) / max(4, len(page.headings))
    on.y += 5.4
    for number, heading in enumerate(page.headings, 1):
        on.put(LEFT + 60 + number * step, heading, fitting(heading, step - 1, size, SANS), to="end")
    for row in page.rows:
        on.y += 4.4
        on.put(LEFT + 26, place_words(row), size)
        for number, points in enumerate(row.points, 1):
            on.put(LEFT + 60 + number * step, str(points), size, to="end")


def _seats(on: Canvas, page: Certificate) -> None:
    """As many holders as have room, those at the end of the game first; the certificate's text has all."""
    on.y += 8
    on.put(LEFT, HOLDERS, 3.2, bold=True)
    on.y += 1.2
    rows = [("", "", remark) for remark in page.remarks]
    room, wanted = FOOT - 5 - on.y, len(page.holders) + len(rows)
    step = max(LEAST_ROW, min(ROW, room / max(1, wanted)))
    most = int(room / step + 0.001)
    if wanted > most:
        rows = [("", "", f"... and {wanted - most + 1} more lines in the text of the certificate")]
    kept = _most_telling(page.holders, most - len(rows))
    for row in [*((seat_name(one.seat), one.kid, holder_words(one)) for one in kept), *rows]:
        on.y += step
        _seat(on, row, min(2.8, 0.64 * step))


def _most_telling(holders: Sequence[Holder], most: int) -> list[Holder]:
    """Holders who left before the start come last."""
    chosen = sorted(holders, key=lambda one: (one.until is not None, one.by == "join"))[: max(0, most)]
    return [one for one in holders if one in chosen]


def _seat(on: Canvas, row: tuple[str, str, str], size: float) -> None:
    name, kid, words = row
    on.put(LEFT, name, size)
    on.put(LEFT + 16, kid, size, MONO)
    x = LEFT + 16 + 46 * size * WIDE[MONO] if kid else LEFT
    on.put(x, words, fitting(words, RIGHT - x, size, SANS))


def _foot(on: Canvas, page: Certificate) -> None:
    """The end of the log with its code, and how to check it."""
    on.y = FOOT
    on.rule()
    on.drawn += _code(page.head, LEFT, FOOT + 4.5, 44)
    x, (head, signed) = LEFT + 50, page.note.split("\n\n", 1)
    on.y = FOOT + 7
    on.put(x, f"The end of the log after {page.size} entries, as the server signed it", 3.2, bold=True)
    on.y += 0.6
    for line in head.splitlines():
        on.y += 4.4
        on.put(x, line, fitting(line, RIGHT - x, 3.2), MONO)
    on.y += 4.6
    on.squeezed(x, signed.strip(), 2.3, MONO, most=3)
    on.y += 7
    on.put(x, "The key of the server", 3.2, bold=True)
    on.y += 4.8
    on.put(x, page.server_key, 3.2, MONO)
    on.y += 4.4
    on.squeezed(x, page.key_words, 2.5, most=5)
    on.y = max(on.y, FOOT + 50) + 6.5
    on.squeezed(LEFT, f"{CODE} {CHECK}", 2.7, most=3)


def _code(words: str, x: float, y: float, side: float) -> Iterator[str]:
    """The QR code in a square, including the white margin that it needs."""
    code = segno.make(words, error="m", micro=False)
    modules = code.symbol_size(border=4)[0]
    scale = side / modules
    path = "".join(_runs(code.matrix))
    yield (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({scale:.5f}) translate(4 4)" d="{path}" '
        'fill="#000" shape-rendering="crispEdges"/>'
    )


def _runs(matrix: Sequence[Sequence[int]]) -> Iterator[str]:
    """Adjacent dark modules become one stroke."""
    for row, modules in enumerate(matrix):
        start = None
        for column, dark in enumerate([*modules, 0]):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                yield f"M{start} {row}h{column - start}v1H{start}z"
                start = None
