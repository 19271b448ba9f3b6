"""Games to try rules on: the tables and walks of the conformance suite, turns on a given state, and what they told."""

from __future__ import annotations

from typing import Any

from conformance.turns import lane, lanes, turn_at
from conformance.worlds import Table, daily, tables, walked
from engine.game import Event, Turn
from tests.kit import installed

__all__ = ["Table", "daily", "lane", "lanes", "tables", "told", "turn_at", "walked"]
installed.here()


def told(turn: Turn, kind: type[Event]) -> list[Any]:
    """The events of this kind."""
    return [event for event in turn.events if isinstance(event, kind)]
