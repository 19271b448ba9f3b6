"""Judging a refusal: would the rules allow this act, up to a draw?

Client and server run the same engine: in an open game the log suffices to decide whether an act may follow. A draw
fixes a move, so a later command cannot be refused. In a hidden game only the public part can be judged.
"""

from __future__ import annotations

from typing import Literal

from engine import replay
from engine.errors import BadRecord, EngineFault, Refused
from engine.kit import load_steps
from engine.record.laws import admission
from engine.record.log.table import Table
from engine.record.signed.acts import Act

Verdict = Literal["refused", "allowed", "unknown"]


def judge(table: Table, compact: str, at: int) -> Verdict:
    """Judge this JWS by the rules as the next entry of this table, logged at this time (seconds since 1970)."""
    try:
        act = admission.check_act(table, compact, at).act
        if table.hidden:
            return "unknown"
        return _judge_move(table, act) if act.act == "move" else "allowed"
    except (Refused, BadRecord):
        return "refused"
    except EngineFault:
        return "unknown"


def _judge_move(table: Table, act: Act) -> Verdict:
    seen = replay.preview(table.game, table.state, act.seat, load_steps(table.game, act.commands or []))
    did_nothing = seen.certain and not seen.events
    return "refused" if seen.refusal or did_nothing else "allowed"
