"""The API of analyses."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from flask import Response

from server.evidence.api import log_blp
from server.http.resource import UNCHANGED, may_refuse, requires_scope, services, tagged
from server.play.analysis import rows
from server.play.analysis.schemas import AnalysisSchema


@log_blp.route("/games/<uuid:game_id>/analysis", methods=["GET"])
@log_blp.response(200, AnalysisSchema)
@log_blp.alt_response(304, description=UNCHANGED, success=True)
def get_analysis(game_id: UUID) -> Response:
    """Get the analysis of a finished game.

    Its turning points and each player's chances over the game: an opinion, not a part of the record. Anyone can make
    the same one from the bundle with `sealedmove analyse FILE`.
    """
    return tagged(_body(rows.answer(services(), str(game_id))))


@log_blp.route("/games/<uuid:game_id>/analysis", methods=["POST"])
@may_refuse(409, 503)
@requires_scope("read")
@log_blp.response(202, AnalysisSchema)
def request_analysis(game_id: UUID) -> dict[str, Any]:
    """Request the analysis of a finished game.

    It is made once, for everyone. Requesting it again changes nothing.
    """
    return _body(rows.request(services(), str(game_id)))


def _body(answer: rows.AnalysisStatus) -> dict[str, Any]:
    return {"state": answer.state, "found": None if answer.found is None else msgspec.to_builtins(answer.found)}
