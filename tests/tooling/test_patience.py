"""Waits of tests end, and a busy machine lengthens them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.kit import patience


class Clock:
    """A clock that moves while something sleeps; on a busy machine a sleep takes much longer."""

    def __init__(self, slower: float = 1.0) -> None:
        self.now, self.slower = 0.0, slower

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds * self.slower


def at(monkeypatch, clock):
    monkeypatch.setattr(patience, "time", SimpleNamespace(monotonic=clock.monotonic, sleep=clock.sleep))
    return clock


def test_a_wait_for_what_never_comes_ends_with_its_sentence(monkeypatch):
    clock = at(monkeypatch, Clock())
    with pytest.raises(AssertionError, match="nobody came"):
        patience.until(lambda: False, "nobody came")
    assert patience.PATIENCE <= clock.now < patience.PATIENCE + 1


def test_a_busy_machine_lengthens_a_wait(monkeypatch):
    """Where every look takes ten seconds, what comes after half an hour is still awaited."""
    clock = at(monkeypatch, Clock(slower=500))
    assert patience.until(lambda: clock.now >= 1800) is True
