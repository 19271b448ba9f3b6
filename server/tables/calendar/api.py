"""The API of holidays: announced, listed, ended."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from server.http.resource import UNCHANGED, account_id, may_refuse, requires_scope, resource, services, tagged
from server.tables.calendar import holidays, pauses
from server.tables.calendar.schemas import (
    AnnouncedSchema,
    AnnounceHolidaySchema,
    HolidayListSchema,
    PauseGameSchema,
    PauseSchema,
    first_day,
)

pauses_blp = resource("pauses", "Pauses of a running game by its host.")


@pauses_blp.route("/games/<uuid:game_id>/pause", methods=["POST"])
@may_refuse(403, 404, 409, 410)
@requires_scope("play")
@pauses_blp.arguments(PauseGameSchema, example={"until": "2026-12-27T00:00:00Z"})
@pauses_blp.response(201, PauseSchema)
@pauses_blp.alt_response(200, schema=PauseSchema, description="Paused before, at least until then.", success=True)
def pause_game(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, Any], int]:
    """Pause a game.

    For its host, as long as `host_pause_left` of the game has days: each day of the pause takes one, and so does a part
    of a day. No clock of the game runs until it ends; players may move. Players who owe a move are notified by email. A
    later `until` extends the pause.
    """
    is_new = pauses.pause(services(), str(game_id), account_id(), given["until"])
    return pauses.shown(services(), str(game_id)), 201 if is_new else 200


@pauses_blp.route("/games/<uuid:game_id>/pause", methods=["DELETE"])
@may_refuse(403, 404)
@requires_scope("play")
@pauses_blp.response(204)
def resume_game(game_id: UUID) -> None:
    """End a pause.

    For the game's host. Players who owe a move keep the deadline that they were told; later turns have their usual
    time. No days are given back.
    """
    pauses.resume(services(), str(game_id), account_id())


holidays_blp = resource("holidays", "Days on which you do not play.")


@holidays_blp.route("/me/holidays", methods=["GET"])
@requires_scope("read")
@holidays_blp.response(200, HolidayListSchema)
@holidays_blp.alt_response(304, description=UNCHANGED, success=True)
def list_holidays() -> Response:
    """List your holidays.

    Those that are not over, the next first, and the days that you have left.
    """
    return tagged(holidays.values(services(), account_id()), private=True)


@holidays_blp.route("/me/holidays", methods=["POST"])
@may_refuse(403, 409)
@requires_scope("play")
@holidays_blp.arguments(AnnounceHolidaySchema, example={"from": "2026-12-24", "days": 5})
@holidays_blp.response(201, AnnouncedSchema)
@holidays_blp.alt_response(200, schema=AnnouncedSchema, description="Announced before.", success=True)
def announce_holiday(given: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Announce a holiday.

    Your clock does not run meanwhile at tables that count it (`holidays` of a game). At most 14 days at once, and seven
    days between two. Any signed act or mailed move of yours in a running game ends it, see `ends_holiday` of its
    answer. You are notified by email.
    """
    made, is_new = holidays.announce(services(), account_id(), first_day(given), given["days"])
    return holidays.announced(services(), account_id(), made), 201 if is_new else 200


@holidays_blp.route("/me/holidays/<int(max=2147483647):number>", methods=["DELETE"])
@may_refuse(404)
@requires_scope("play")
@holidays_blp.response(204)
def end_holiday(number: int) -> None:
    """End or cancel a holiday.

    You get back the days that have not begun. Where you owe a move, you have at least a day from now, or the time for a
    turn if that is shorter.
    """
    holidays.end(services(), account_id(), number)
