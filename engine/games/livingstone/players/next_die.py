"""The next die of a seat in this round: a low die now may leave a high one for later, a 6 is always the last."""

from __future__ import annotations

from collections.abc import Sequence


def next_die(dice: Sequence[int], last: int, takers: int) -> float:
    """Return what the seat's next die adds on average: 0 if none above its last one is left.

    `dice` are the numbers of dice that show 1 to 6, `takers` the other players who take one of them first. Each is
    assumed to take any die.
    """
    higher, left = dice[last:], sum(dice)
    count = sum(higher)
    if not count:
        return 0.0
    mean = sum(face * number for face, number in enumerate(higher, last + 1)) / count
    return float(mean * (1 - min(1.0, takers / left) ** count))
