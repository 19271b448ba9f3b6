"""A seat's view of a game as the server shows it, compared with our own copy of the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client.errors import DistrustError
from client.http import NoAnswerError
from client.log import CheckedLog
from engine import kit
from engine.record.encoding import canonical


def is_current(log: CheckedLog, shown: Mapping[str, Any]) -> bool:
    """Is this the view at our head? False if it is an earlier one; DistrustError if our own state gives another.

    In a hidden game only the server can make views, so each is taken as current.
    """
    if not {"view", "head", "seat", "active"} <= shown.keys():
        raise NoAnswerError("the answer is not a view of a position")
    table = log.table
    if table.state is None:
        return True
    with log.judging("view", shown=shown):
        if shown["head"] not in [canonical.to_base64url(entry.hash) for entry in log.entries]:
            raise DistrustError("other-view", "the server shows a position after an entry that the log does not have")
        if shown["head"] != canonical.to_base64url(table.head):
            return False
        own = kit.view(table.game, table.state, shown["seat"])
        if canonical.dumps(own) != canonical.dumps(shown["view"]) or shown["active"] != list(table.active):
            raise DistrustError("other-view", "the server shows a position that differs from the log")
    return True
