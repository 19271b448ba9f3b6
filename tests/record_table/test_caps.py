"""The effect of spam on a log: every cap used up and then refused, and a bundle that an auditor still reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import Refused
from engine.record.audit import audit
from engine.record.audit.run import MOST_BYTES
from engine.record.laws.proposal import (
    MOST_GRANTS,
    MOST_JOINS,
    MOST_KEYS,
    MOST_OFFERS,
    MOST_RECOVERIES,
    MOST_TAKES,
)
from engine.record.signed.acts import MOST_ONLY, key, replace_keys
from tests.kit.play_record import Record, jwk_of, seed_of

pytestmark = pytest.mark.slow

RECOVERY = seed_of(0, 9)


def refused(code: str, act: Callable[..., Any], *given: Any, **named: Any) -> None:
    with pytest.raises(Refused) as no:
        act(*given, **named)
    assert no.value.code == code


def spend(record: Record, seat: int, holder: int) -> None:
    """A holder does everything that the caps allow, each act in its longest form. The seat is offered at the end."""
    for number in range(MOST_KEYS):
        new = seed_of(seat, 10_000 * holder + number)
        record.act(key(**record.where(seat), add=jwk_of(new)))
        record.drop_key(seat, record.table.occupants[seat].keys[-1][0])
    refused("too-many-keys", record.add_key, seat, 5)
    for number in range(MOST_RECOVERIES):
        others = range(10_000 * holder + 100 + number * MOST_ONLY, 10_000 * holder + 99 + (number + 1) * MOST_ONLY)
        only = [jwk_of(record.seeds[seat]), *(jwk_of(seed_of(seat, other)) for other in others)]
        record.act(replace_keys(**record.where(seat), only=only), RECOVERY)
    refused("too-many-recoveries", record.recover, seat, RECOVERY)
    for by in (None, RECOVERY):
        for _ in range(MOST_OFFERS):
            if record.table.occupants[seat].offer is not None:
                record.offer(seat, is_open=False)
            record.offer(seat, by=by)
    record.offer(seat, is_open=False)
    refused("too-many-offers", record.offer, seat)
    refused("too-many-offers", record.offer, seat, by=RECOVERY)


def test_the_number_of_grants_does_not_limit_time_for_an_outage():
    """Neither before nor after the last grant does it count."""
    record = Record("pig")
    for why in ("outage", *["host"] * MOST_GRANTS, "outage"):
        record.grant(record.table.active, 1, why)
    refused("too-many-grants", record.grant, record.table.active, 1)
    assert record.table.grants == MOST_GRANTS


def test_a_log_with_every_cap_used_up_is_small_beside_the_bound_of_a_file(capsys):
    """Lobby and grants are used up, and so are one holder's acts; the figure for 64 seats is calculated from that."""
    record = Record("pig", start=False, handover="both")
    for _ in range(MOST_JOINS - 2):
        record.join(0)
        record.leave(0)
    for seat in range(2):
        record.join(seat, recovery=RECOVERY)
    record.start()
    for _ in range(MOST_GRANTS):
        record.grant(record.table.active, 1)
    refused("too-many-grants", record.grant, record.table.active, 1)
    entries, size = len(record.lines), len(record.bundle())
    spend(record, 0, 1)
    entries_a_holder, size_a_holder = len(record.lines) - entries, len(record.bundle()) - size
    holders = MOST_TAKES + 1
    told = [
        (seats, entries + seats * holders * entries_a_holder, size + seats * holders * size_a_holder)
        for seats in (4, 64)
    ]
    with capsys.disabled():
        for seats, lines, made in told:
            print(f"\nevery cap used up, {seats} seats: {lines} entries, {made / 1e6:.1f} MB")  # noqa: T201
    assert audit(record.bundle()).verdict == "holds"
    assert told[-1][2] < MOST_BYTES


def test_a_seat_is_taken_and_a_table_joined_a_bounded_number_of_times():
    """Each next holder has caps of their own."""
    record = Record("pig", handover="both")
    for number in range(MOST_TAKES):
        record.offer(0)
        record.take(0, 20 + number)
    record.offer(0)
    refused("too-many-takes", record.take, 0, 99)
    record = Record("pig", start=False)
    for _ in range(MOST_JOINS):
        record.join(0)
        record.leave(0)
    refused("too-many-joins", record.join, 0)
