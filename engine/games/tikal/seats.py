"""A player as a zone of one column: pieces beside the board, temples that would score now, treasures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.tikal.board import status
from engine.games.tikal.ink import middle
from engine.games.tikal.scenery import leader, mask, pawn, pyramid, shape, tent_of, treasure
from engine.games.tikal.view import SeenPlayer, TikalView
from engine.kit import COLUMN, PlayerPlate, Zone, box, count, marked, moved, panel, text, titled

HEIGHT = 216


def seat_zone(view: TikalView, seat: int, name: str) -> Zone:
    seen = view.players[seat]
    head = PlayerPlate(
        seat=seat,
        name=name,
        fill=f"seat-{seat + 1}",
        points=str(seen.points),
        called=count(seen.points, "point"),
        moving=not view.over and seat in view.acting,
        won=view.ended is not None and view.ended.won and seat in view.ended.places[0],
        note=status(view, seen),
    )
    drawn = panel(head, HEIGHT, *_scores(view, seen), *_stock(seat, seen), *_held(view, seat), *_treasures(seat, seen))
    return Zone(f"seat-{seat + 1}", COLUMN, HEIGHT, drawn)


def _scores(view: TikalView, seen: SeenPlayer) -> Iterator[str]:
    """Draw the points by what they came from."""
    player, y = seen.player, 76
    parts = [("temples", player.temples, moved(0, 4, pyramid(3), scale=0.4))]
    parts.append(("treasures", player.finds, mask(1.25)))
    if view.variant == "auction":
        parts.append(("auction", player.purse, text(-10, 7, "+/-", 14, bold=True)))
    said = ", ".join(f"{name} {points}" for name, points, _ in parts)
    drawn = (
        moved(28 + 62 * at, y, sign, text(18, 6, points, 17, bold=True)) for at, (_, points, sign) in enumerate(parts)
    )
    yield titled(f"points: {said}", *drawn)


def _stock(seat: int, seen: SeenPlayer) -> Iterator[str]:
    """Draw the pieces that are not on the board yet."""
    player = seen.player
    many = middle(-31, 6, player.explorers, 17, bold=True)
    tokens = [many + moved(0, 0, shape(seat, "", 15), scale=0.85)]
    tokens += [moved(0, 4, leader(seat))] * player.leader
    tokens += [tent_of(seat, "", 0.5)] * player.tents
    tokens += [pawn(seat)] * player.guards
    parts = [count(player.explorers, "explorer"), "the leader"][: 1 + player.leader]
    parts += [count(player.tents, "camp"), count(player.guards, "guard")]
    drawn = (moved(410 - 31 * (len(tokens) - 1 - at), 76, token) for at, token in enumerate(tokens))
    yield titled(f"beside the board: {', '.join(parts)}", *drawn)


def _held(view: TikalView, seat: int) -> Iterator[str]:
    """Draw the temples that the seat would score now, the tallest first."""
    yield box(10, 104, COLUMN - 20, 46, rx=8, fill="@card")
    values = sorted((one.site.value for one in view.sites if one.holder == seat), reverse=True)
    step = min(44.0, (COLUMN - 40) / max(1, len(values)))
    drawn = (moved(36 + step * at, 129, _temple(value)) for at, value in enumerate(values))
    words = text(22, 133, "holds no temple", 15, fill="@faint")
    said = f"temples held: {' '.join(map(str, values))}" if values else "holds no temple"
    yield titled(said, *(drawn if values else (words,)))


def _temple(value: int) -> str:
    plate = box(-14, -7, 28, 22, rx=4, fill="@plate", stroke="@shade")
    number = middle(0, 10, value, 18, bold=True, fill="@tile-ink")
    return moved(0, 6, pyramid(3), scale=0.52) + plate + number


def _treasures(seat: int, seen: SeenPlayer) -> Iterator[str]:
    found = sorted(Counter(seen.player.treasures).items())
    if not found:
        yield text(22, 188, "no treasures", 15, fill="@faint")
    for at, (name, n) in enumerate(found):
        frame = box(-22, -21, 48, 42, rx=8, fill="@card")
        sign = moved(-6, 0, treasure(name, 1.35))
        yield moved(
            34 + 51 * at, 183, marked(f"treasure:{name}", f"{n} {name}", frame, sign, text(11, 6, n, 17), seat=seat)
        )
