"""The longest possible games: of moves, joins and leaves, keys and holders, and the server's entries."""

from __future__ import annotations

from collections.abc import Callable

from tests.kit.games.pig import PigOptions
from tests.kit.play_record import Record, jwk_of, seed_of
from tests.kit.play_record import acts as a


def moves() -> list[bytes]:
    """One roll or hold a move, at random."""
    record = Record("pig", 4, seed=8, options=PigOptions(goal=100))
    return record.play().lines


def comers_and_goers() -> list[bytes]:
    """255 join and leave; the 256th stays."""
    record = Record("pig", 2, start=False)
    for number in range(255):
        record.seeds[0] = seed_of(0, number)
        record.join(0)
        record.leave(0)
    record.join(1)
    return record.lines


def keys_and_hands() -> list[bytes]:
    """Every seat changes hands as often as possible, and every holder adds and drops as many keys as possible."""
    record = Record("pig", 2, start=False, handover="offer")
    for seat in (0, 1):
        record.join(seat, recovery=seed_of(seat, 900))
    record.start()
    for hand in range(9):
        for seat in (0, 1):
            _bring_all(record, seat, hand)
            if hand < 8:
                record.offer(seat)
                record.take(seat, 1000 + hand, recovery=seed_of(seat, 901 + hand))
    return record.lines


def _bring_all(record: Record, seat: int, hand: int) -> None:
    by = seed_of(seat, 900 + hand)
    for number in range(16):
        added = jwk_of(seed_of(seat, 2000 + 100 * hand + number))
        record.act(a.key(**record.where(seat), add=added))
        record.recover(seat, by, 4000 + 100 * hand + number)


def grants() -> list[bytes]:
    """The operator's grants after outages are not limited."""
    record = Record("pig", 2)
    for _ in range(2000):
        record.grant([0], 60, "outage")
    return record.lines


LONG: dict[str, Callable[[], list[bytes]]] = {
    "moves": moves,
    "comers and goers": comers_and_goers,
    "keys and hands": keys_and_hands,
    "grants": grants,
}
