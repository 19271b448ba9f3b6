"""Plans of seats that came by mail."""

from __future__ import annotations

from uuid import UUID

from flask import Response

from server.api.house import UNCHANGED, account_id, needs, refuses, resource, services, tagged
from server.api.schemas.plans import PlanSchema
from server.projections import plans
from server.usecases import plans as changes

blp = resource("plans", "Commands that you have answered a mail with, to look at and sign.")


@blp.route("/games/<uuid:game_id>/plan", methods=["GET"])
@refuses(403, 404)
@needs("read")
@blp.response(200, PlanSchema)
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_plan(game_id: UUID) -> Response:
    """The plan that you mailed for your seat.

    404 if there is none. Nobody else sees it, and it is no move: preview it, sign it upon the head, send it, drop it.
    """
    return tagged(plans.plan(services(), str(game_id), account_id()), private=True)


@blp.route("/games/<uuid:game_id>/plan", methods=["DELETE"])
@refuses(403, 404)
@needs("play")
@blp.response(204)
def drop_plan(game_id: UUID) -> None:
    """Drop the plan that you mailed.

    When it was signed and sent, or is not wanted.
    """
    changes.drop(services(), str(game_id), account_id())
