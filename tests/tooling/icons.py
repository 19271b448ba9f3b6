"""Draws the icons of the installed app from our own seal: `python -m tests.tooling.icons` writes them."""

from __future__ import annotations

import re

from server.http.page import STATIC
from workers.mail.picture import drawn

FOLDER = STATIC / "icons"
PAPER = "#fbf8f1"
SEAL = re.sub(r"</?svg[^>]*>", "", (STATIC / "seal.svg").read_text("utf-8")).strip()
MARK = '<path d="M3 8h26v17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM3 8l13 10L29 8" fill="none" stroke="#fff" stroke-width="3"/>'


def icons() -> dict[str, bytes]:
    """Each file by its name. A maskable one is cut to a circle of four fifths; a badge is white on nothing."""
    return {
        "180.png": _icon(180, 1.6),
        "192.png": _icon(192, 1.6),
        "512.png": _icon(512, 1.6),
        "maskable.png": _icon(512, 8),
        "badge.png": drawn(_svg(MARK, 0), 96, (0, 0, 0, 0)),
    }


def _icon(width: int, room: float) -> bytes:
    return drawn(_svg(f'<path d="M-20-20h80v80h-80z" fill="{PAPER}"/>{SEAL}', room), width)


def _svg(inside: str, room: float) -> str:
    side = 32 + 2 * room
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-room} {-room} {side} {side}">{inside}</svg>'


if __name__ == "__main__":
    for name, data in icons().items():
        (FOLDER / name).write_bytes(data)
