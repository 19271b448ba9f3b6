"""`clock.json`: the time that a seat is promised, by the slow clock and by the project's clock."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.vector_files import load
from engine.record.log import clock

CASES = load("clock")["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_seats_are_promised_the_time_of_the_specification(case: dict[str, Any]) -> None:
    """Bank, absence and deadline after each entry: the exact ones, and the earliest possible."""
    exact, outside = (Folded(case["clock"], case["wait"], exact=known) for known in (True, False))
    for i, fact in enumerate(case["log"]):
        exact.take(i, fact)
        outside.take(i, fact)
        for seat, due in enumerate(case["after"][i]):
            assert (exact.deadline(seat), exact.is_absent(seat)) == (due["deadline"], due["absent"])
            assert outside.deadline(seat) == due["earliest"] or not i
            assert due["bank"] is None or seat in exact.gone or exact.times[seat].bank == due["bank"]


class Folded:
    """The clock alone, entry after entry, for two seats; the rest of a table is kept here as plainly as possible."""

    def __init__(self, rules: dict[str, int] | None, wait: int, *, exact: bool) -> None:
        self.rules = rules
        self.wait = wait
        self.exact = exact
        self.times = clock.opened(rules, 2)
        self.asked: dict[int, int] = {}
        self.open: dict[int, int] = {}  # by seat: from when on its offer may be taken
        self.gone: set[int] = set()

    def take(self, i: int, fact: dict[str, Any]) -> None:
        seat = fact["seats"][0] if fact["seats"] else None
        now = clock.Moment(i, fact["at"], fact["kind"], seat)
        if fact["kind"] == "granted":
            self.times = clock.granted(self.times, fact["seats"], fact["seconds"])
        elif fact["kind"] in ("keyed", "offered", "taken"):
            self._signed(now, fact)
        else:
            self.gone |= set(fact["seats"]) if fact["kind"] == "resigned" else set()
            owing = fact["owing"] if self.exact else None
            self.times = clock.played(self.times, self.rules, now, owing)
            self._ask(now, [0, 1] if owing is None else owing)

    def _signed(self, now: clock.Moment, fact: dict[str, Any]) -> None:
        seat, times = now.seat, list(self.times)
        assert seat is not None
        if now.kind == "taken":
            by_offer = self.open.get(seat, now.at + 1) <= now.at
            times[seat] = clock.taken(times[seat], self.rules, now, by_offer=by_offer)
        else:
            times[seat] = clock.signed(times[seat], self.rules, now)
        self.times = tuple(times)
        if fact.get("open"):
            self.open[seat] = 0 if fact["recovers"] else now.at + self.wait
        elif now.kind != "keyed" or fact["only"]:
            self.open.pop(seat, None)

    def _ask(self, now: clock.Moment, owing: list[int]) -> None:
        answered = now.seat if now.kind in ("moved", "expired") else None
        kept = {seat: at for seat, at in self.asked.items() if seat in owing and seat != answered}
        self.asked = {**dict.fromkeys(owing, now.at), **kept}

    def deadline(self, seat: int) -> int | None:
        if seat in self.gone:
            return self.asked.get(seat)
        return clock.deadline(self.times[seat], self.rules, exact=self.exact)

    def is_absent(self, seat: int) -> bool:
        return seat not in self.gone and clock.is_absent(self.times[seat], self.rules)
