"""The head of a player's zone, alike in every game: colour, number, name, points, whether to move, whether first."""

from __future__ import annotations

import msgspec

from engine.kit.fitting import ems
from engine.kit.letters import cut
from engine.kit.pointing import marked
from engine.kit.strokes import box, circle, fitted, laurel, path, text
from engine.kit.zones import COLUMN

HEIGHT, NAME, SHORT = 46, 18, 10  # units; columns of a name, and of one before a note
EDGE = 12


class PlayerPlate(msgspec.Struct, frozen=True, kw_only=True):
    """What the head of a player's zone shows. `points` is what stands on the right, `called` how it is read aloud."""

    seat: int
    name: str
    fill: str
    points: str
    called: str
    moving: bool = False
    won: bool = False
    note: str = ""  # such as `resigned`


def panel(player: PlayerPlate, height: float, *drawn: str) -> str:
    """A player's zone: its frame, its head, and what is drawn below the head, from the zone's own corner on."""
    fill, rim = ("@here", 4.0) if player.moving or player.won else ("@panel", 1.5)
    inset = rim / 2
    frame = box(inset, inset, COLUMN - rim, height - rim, rx=10, fill=fill, stroke=f"@{player.fill}", stroke_width=rim)
    return frame + _plate(player) + "".join(drawn)


def _plate(player: PlayerPlate) -> str:
    """The coloured head; a wreath around the number of a winner, an arrow before the name of the player to move."""
    states = (", to move" * player.moving, ", has won" * player.won, f", {player.note}" if player.note else "")
    title = f"{player.name}: {player.called}{''.join(states)}"
    band = path(f"M0 {HEIGHT} V10 Q0 0 10 0 H{COLUMN - 10:g} Q{COLUMN:g} 0 {COLUMN:g} 10 V{HEIGHT} Z")
    disc = circle(28, 24, 12 if player.won else 14.5, fill="@on-seat") + text(
        28, 31, player.seat + 1, 19, bold=True, middle=True, fill=f"@{player.fill}"
    )
    wreath = laurel(28, 26, 18) if player.won else ""
    arrow = path("M50 14 l13 9 -13 9 Z", fill="@on-seat") if player.moving else ""
    left = 70 if player.moving else 54
    right = COLUMN - EDGE - 1.05 * ems(player.points, bold=True) * 24
    shown = f"{cut(player.name, SHORT)}, {player.note}" if player.note else cut(player.name, NAME)
    name = fitted(left, 31, shown, right - left - 12, 21, 13.8, bold=True, fill="@on-seat")
    points = text(COLUMN - EDGE, 32, player.points, 24, bold=True, end=True, fill="@on-seat")
    coloured = band.replace("/>", f' fill="@{player.fill}"/>')
    return marked(f"seat:{player.seat + 1}", title, coloured, wreath, disc, arrow, name, points)
