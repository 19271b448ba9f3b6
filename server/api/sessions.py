"""Sessions of one's own: the browsers that one is signed in with."""

from __future__ import annotations

from typing import Any

from server.api.house import account_id, caller, needs, resource, services
from server.api.schemas.base import MOST
from server.api.schemas.me import SessionSchema
from server.auth import sessions
from server.errors import Problem
from server.log import events
from server.wording import iso

blp = resource("sessions", "Browsers that are signed in, by a cookie that counts from the pages of this server alone.")


@blp.route("/me/sessions", methods=["GET"])
@needs("account")
@blp.response(200, SessionSchema(many=True))
def list_sessions() -> list[dict[str, Any]]:
    """The sessions in force.

    One ends ninety days after it was last used, which is noted every five minutes at most.
    """
    held = caller()
    shown = held.shown if held else None
    return [
        {
            "id": row.id,
            "created_at": iso(row.created_at),
            "last_used_at": iso(row.last_used_at),
            "current": shown == f"s{row.id}",
        }
        for row in sessions.of_account(services(), account_id())
    ]


@blp.route(f"/me/sessions/<int(max={MOST}):session_id>", methods=["DELETE"])
@needs("account")
@blp.response(204)
def end_session(session_id: int) -> None:
    """End a session.

    That browser is signed in no more, and its streams end.
    """
    with services().database.write() as session:
        if not sessions.end(session, account_id(), session_id):
            raise Problem("not-found")
    services().waker.wake([], events.pokes([account_id()]))
