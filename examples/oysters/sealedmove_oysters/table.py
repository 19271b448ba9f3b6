"""The table of Oysters: the board as text, and the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.kit import (
    COLUMN,
    Palette,
    PlayerPlate,
    Zone,
    circle,
    count,
    cut,
    document,
    legend,
    panel,
    seats_table,
    text,
    titled,
)

COLOURS = ("#2c6fb0", "#b3261e", "#2f7a3f", "#8a5a00", "#6a3d9a", "#00707a")
ROLES = {f"seat-{n}": (colour, colour) for n, colour in enumerate(COLOURS, 1)} | {
    "pearl": ("#e8dcc8", "#e8dcc8"),
    "crab": ("#d4552d", "#e2683f"),
    "shell": ("#7d8794", "#69727e"),
}

SIGNS = "p: a pearl, c: a crab, ?: face down. The last of a pile is on top."


def says(view: Any, names: tuple[str, ...]) -> str:
    """What the game waits for."""
    if view.over:
        return "The game is over."
    name = cut(names[view.seat], 30)
    if view.diving:
        return f"{name} opens {count(view.bid, 'oyster')}."
    return f"{name} raises {count(view.bid, 'pearl')}, or passes." if view.bid else f"{name} lays an oyster, or bids."


def board(view: Any, names: tuple[str, ...]) -> str:
    columns = (
        ("points", [player.points for player in view.players]),
        ("hand", [_letters(player.hand) for player in view.players]),
        ("pile", [_letters(player.pile) for player in view.players]),
    )
    table = seats_table(names, columns, () if view.over else (view.seat,))
    return "\n".join((says(view, names), "", *table, "", SIGNS))


def _letters(oysters: tuple[str, ...]) -> str:
    return "".join(oyster[0] for oyster in oysters) or "-"


def picture(view: Any, names: tuple[str, ...], palette: Palette) -> str:
    said = says(view, names)
    head = Zone("board", COLUMN, 40, titled(said, text(8, 27, cut(said, 40), 18)))
    seats = (_seat(view, seat, names[seat]) for seat in range(len(view.players)))
    return document((head, *seats, legend(("Grey: face down. White: a pearl. Red: a crab.",))), ROLES, palette)


def _seat(view: Any, seat: int, name: str) -> Zone:
    own, is_over = view.players[seat], view.over
    has_won = is_over and view.ended.won and seat in view.ended.places[0]
    plate = PlayerPlate(
        seat=seat,
        name=name,
        fill=f"seat-{seat + 1}",
        points=str(own.points),
        called=count(own.points, "point"),
        moving=not is_over and seat == view.seat,
        won=has_won,
    )
    rows = (*_row("hand", own.hand, 76), *_row("pile", own.pile, 122))
    return Zone(f"seat-{seat + 1}", COLUMN, 150, panel(plate, 150, *rows))


def _row(what: str, oysters: tuple[str, ...], y: float) -> Iterator[str]:
    yield text(14, y + 5, what, 16)
    for at, oyster in enumerate(oysters):
        fill = "shell" if oyster == "?" else oyster
        called = "face down" if oyster == "?" else f"a {oyster}"
        yield titled(f"{what}, {at + 1}: {called}", circle(90 + 44 * at, y, 17, fill=f"@{fill}", stroke="@edge"))
