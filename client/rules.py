"""Would the rules let this act be logged? What a client can judge of a refusal by itself, up to a draw.

The engine here is the engine there: in an open game who has the log knows as well as the server whether an act may
follow. A draw fixes a move, so a command after it refuses nothing any more. In a hidden game only what the log tells
everybody can be judged.
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


def judge(table: Table, compact: str) -> Verdict:
    """What the rules say to this JWS as the next entry of this table."""
    try:
        act = admission.check_act(table, compact).act
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
