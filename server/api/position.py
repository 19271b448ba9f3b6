"""A game from one's own seat, or from anybody's."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from server.api.house import (
    MORE,
    UNCHANGED,
    account_id,
    may_show_token,
    needs,
    paged,
    reader_id,
    refuses,
    resource,
    services,
    tagged,
)
from server.api.schemas.position import (
    IntentSchema,
    LegalSchema,
    LookSchema,
    OpeningSchema,
    OpeningsQuerySchema,
    PositionSchema,
    PreviewSchema,
)
from server.errors import Problem
from server.projections import openings, position

blp = resource("position", "What you see from your seat and may do; without a token, what anybody sees.")


@blp.route("/games/<uuid:game_id>/view", methods=["GET"])
@may_show_token
@blp.arguments(LookSchema, location="query")
@blp.response(200, PositionSchema)
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_view(asked: dict[str, Any], game_id: UUID) -> Response:
    """The position, as values and as text; also as it was after an earlier entry.

    Poll it with `If-None-Match`: until something happens the answer is 304 and costs nothing. Looking back, too, is
    done from the seat that you hold now, with its eyes from the beginning; the players' names are those of then.
    """
    at = _look(asked, game_id)
    return tagged(position.view(at) | {"sentences": position.sentences(services(), at)}, private=at.seat is not None)


@blp.route("/games/<uuid:game_id>/picture", methods=["GET"])
@may_show_token
@blp.arguments(LookSchema, location="query")
@blp.response(200, {"type": "string"}, content_type="image/svg+xml")
@blp.alt_response(304, description=UNCHANGED, success=True)
def get_picture(asked: dict[str, Any], game_id: UUID) -> Response:
    """The position as SVG; also as it was after an earlier entry.

    Without a token, as anybody sees it. There is none before the start. What a command can name holds `data-word`, kind
    and word as they are typed (`cell:g4`; several, parted by blanks, where words meet), pieces that belong to a seat
    `data-seat`, counted from 1, and each has a `<title>`. No style, script or address is in it.
    """
    at = _look(asked, game_id)
    answer = Response(position.picture(at), mimetype="image/svg+xml")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return tagged(answer, private=at.seat is not None)


def _look(asked: dict[str, Any], game_id: UUID) -> position.Look:
    return position.look(services(), str(game_id), reader_id(), seq=asked.get("at"), seat=asked.get("seat"))


@blp.route("/games/<uuid:game_id>/legal", methods=["GET"])
@needs("read")
@blp.response(200, LegalSchema(many=True))
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_legal(game_id: UUID) -> Response:
    """Every command that your seat may give now, each once, with its words.

    The words of a list are a tree: who asks for one word after the other, and offers only those with which a command
    goes on, comes to each. What a word points at stands on the picture as `data-word`, kind and word. An empty list
    while your seat owes no move. Commands that follow one another need to be asked for one by one: by a move, or by
    `preview`.
    """
    at = position.look(services(), str(game_id), account_id())
    return tagged(position.legal_commands(at), private=True)


@blp.route("/games/<uuid:game_id>/preview", methods=["POST"])
@refuses(409, 410, by_rules=True)
@needs("read")
@blp.arguments(IntentSchema)
@blp.response(200, PreviewSchema)
def preview_move(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """What a move of yours would do.

    Nothing is committed, and no draw or reveal is crossed.
    """
    at = position.look(services(), str(game_id), account_id())
    if given.get("type", at.game.type) != at.game.type:
        raise Problem("other-type", found=given["type"], expected=at.game.type)
    return position.preview(at, given.get("commands"), given.get("notation"))


@blp.route("/games/<uuid:game_id>/openings", methods=["GET"])
@needs("read")
@blp.arguments(OpeningsQuerySchema, location="query")
@blp.response(200, OpeningSchema(many=True), headers=MORE)
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_openings(asked: dict[str, Any], game_id: UUID) -> Response:
    """What your seat alone may read of each entry, to be checked against the entry's seal.

    For entries that have events, in order, a page at a time; what your own sealed moves came to is told here first.
    """
    at = position.look(services(), str(game_id), account_id())
    opened, last = openings.openings(services(), at, asked["after"], asked["limit"])
    return paged(tagged(opened, private=True), last)
