"""The API of play: signed acts, views, legal commands, previews, draft moves.

Signed acts need no token: the signature shows who acts, and the answer holds only public bytes. They differ in what is
signed and who carries it out, so they are rows of one table, whose texts describe them in the API document as
docstrings would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from flask import Response
from marshmallow import Schema

from server.http.resource import (
    MORE,
    UNCHANGED,
    account_id,
    may_refuse,
    paged,
    reader_id,
    requires_scope,
    resource,
    services,
    tagged,
    tagged_ahead,
    token_optional,
)
from server.http.schemas import AnswerSchema
from server.kernel.errors import Problem
from server.log.ledger import Logged
from server.play import drafts, read
from server.play.schemas import (
    ChangeKeysSchema,
    IntentSchema,
    JoinSchema,
    LeaveSchema,
    LegalSchema,
    LookSchema,
    MoveSchema,
    OfferSchema,
    OpeningSchema,
    OpeningsQuerySchema,
    PictureSchema,
    PlanSchema,
    PositionSchema,
    PreviewSchema,
    ResignSchema,
    TakeSchema,
)
from server.play.write import join, leave, offer, rekey, resign, submit, take

acts_blp = resource("acts", "Signed acts of a seat. The same JWS sent again gets the same answer.")


class ActRoute(NamedTuple):
    """One kind of act: its path, operation, request schema, handler and description."""

    path: str
    operation: str
    sent: type[Schema]
    log: Callable[..., Logged]
    says: str
    by_rules: bool = False


ACTS = (
    ActRoute(
        "join",
        "join_game",
        JoinSchema,
        join,
        """Join a game with a registered key. The last join starts the game.

    The payload is a `JoinPayload`. You may take any empty seat, but only one in each game. The log keeps your key and
    the times of your moves forever. If two players join at the same time, the later one gets 409 `stale-head` and
    signs again on the new head with the same nonce.""",
    ),
    ActRoute(
        "leave",
        "leave_game",
        LeaveSchema,
        leave,
        """Leave a game before it starts.

    The payload is a `LeavePayload`.""",
    ),
    ActRoute(
        "moves",
        "submit_move",
        MoveSchema,
        submit,
        """Make a move of 1 to 64 commands, signed on the head.

    The payload is a `MovePayload`. In an open game it holds `commands`, and there is no `text`. In a hidden game it
    holds `sealed`, and `text` is sent beside the JWS. The commands are played in order. If the rules refuse one, the
    whole move is refused and nothing is logged. If a draw or reveal came before it, the commands up to there are
    logged and the rest is dropped. A 409 lists the entries that you missed and states whether you can sign again at
    once. After a timeout, 5xx or 429 send the same bytes again.""",
        by_rules=True,
    ),
    ActRoute(
        "resign",
        "resign_game",
        ResignSchema,
        resign,
        """Resign. The server then plays default moves for the seat.

    The payload is a `ResignPayload`.""",
    ),
    ActRoute(
        "keys",
        "change_keys",
        ChangeKeysSchema,
        rekey,
        """Add a key to a seat, drop one, or replace its keys with its recovery key.

    The payload is a `KeyPayload`. Any of these acts also ends the seat's absence.""",
    ),
    ActRoute(
        "offer",
        "offer_seat",
        OfferSchema,
        offer,
        """Offer your seat in a running game, or withdraw the offer.

    The payload is an `OfferPayload`. You play on until someone takes the seat. Anyone may take it after the
    `offer_wait` of the game, or at once if the seat's recovery key signed the offer. Withdrawing also ends your
    absence.""",
    ),
    ActRoute(
        "take",
        "take_seat",
        TakeSchema,
        take,
        """Take a seat that is `free` in a running game, with a registered key.

    The payload is a `TakePayload`. You may have only one seat in a game, and cannot take one if you have held another
    seat of the running game. You may take back your own former seat with a new key. All keys of the former holder are
    dropped. From then on only the new holder can see what the seat sees, from the beginning of the game.""",
    ),
)


def _view(act: ActRoute) -> Callable[[dict[str, Any], UUID], tuple[dict[str, str], int]]:
    def log(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
        """The text of the sealed move is missing."""
        answer = act.log(services(), str(game_id), given.pop("jws"), **given)
        return answer.answer, 200 if answer.again else 201

    log.__name__, log.__doc__ = act.operation, act.says
    return log


def _route(act: ActRoute) -> None:
    view: Any = _view(act)
    for decorate in (
        acts_blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True),
        acts_blp.response(201, AnswerSchema),
        acts_blp.arguments(act.sent),
        may_refuse(401, 403, 409, 410, by_rules=act.by_rules),
        acts_blp.route(f"/games/<uuid:game_id>/{act.path}", methods=["POST"]),
    ):
        view = decorate(view)


for _act in ACTS:
    _route(_act)


# --- A game as its players, or the public, may see it -----------------------------------------------------------------


position_blp = resource(
    "position", "Your view of a game and your legal commands. Without a token you get the public view."
)


@position_blp.route("/games/<uuid:game_id>/view", methods=["GET"])
@token_optional
@position_blp.arguments(LookSchema, location="query")
@position_blp.response(200, PositionSchema)
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def get_view(arguments: dict[str, Any], game_id: UUID) -> Response:
    """Get the position as values and as text.

    With `at` as it was after an earlier entry, from the seat that you hold now and with the names of that time. To
    poll, send `If-None-Match`: the answer is 304 until something changes.
    """
    at = _perspective(arguments, game_id)

    def make() -> dict[str, Any]:
        return read.view(at) | {"sentences": read.sentences(services(), at)}

    return tagged_ahead(at.fingerprint, make, private=at.seat is not None)


@position_blp.route("/games/<uuid:game_id>/picture", methods=["GET"])
@token_optional
@position_blp.arguments(PictureSchema, location="query")
@position_blp.response(200, {"type": "string"}, content_type="image/svg+xml")
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def get_picture(arguments: dict[str, Any], game_id: UUID) -> Response:
    """Get the position as SVG.

    With `at` as it was after an earlier entry. Without a token you get the public view. There is no picture before the
    start. Parts that commands can name have `data-word`, with kind and word as they are typed (`cell:g4`; several are
    separated by spaces). Pieces that belong to a seat have `data-seat`, counted from 1. Each has a `<title>`. The SVG
    contains no styles, scripts or URLs. Its zones, `<g data-zone="board" data-box="0 0 880 600">`, are drawn from their
    own origins, so that you can move them by their `transform`.
    """
    at, palette = _perspective(arguments, game_id), arguments.get("palette", "light")

    def make() -> Response:
        return Response(read.picture(at, palette), mimetype="image/svg+xml")

    answer = tagged_ahead(f"{at.fingerprint} {palette}", make, private=at.seat is not None)
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


def _perspective(arguments: dict[str, Any], game_id: UUID) -> read.Perspective:
    return read.perspective(services(), str(game_id), reader_id(), seq=arguments.get("at"), seat=arguments.get("seat"))


@position_blp.route("/games/<uuid:game_id>/legal", methods=["GET"])
@requires_scope("read")
@position_blp.response(200, LegalSchema(many=True))
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def list_legal(game_id: UUID) -> Response:
    """List your legal commands.

    Each command once, with its words. The words of all commands form a tree: ask for one word after the other, and
    offer only words that continue a legal command. `data-word` in the picture marks what a word refers to. The list is
    empty while your seat does not owe a move. For the commands after the first, make the move or use `preview`.
    """
    at = read.perspective(services(), str(game_id), account_id())
    at.check_seated()
    return tagged_ahead(at.fingerprint, lambda: read.legal_commands(at), private=True)


@position_blp.route("/games/<uuid:game_id>/preview", methods=["POST"])
@may_refuse(409, 410, by_rules=True)
@requires_scope("read")
@position_blp.arguments(IntentSchema)
@position_blp.response(200, PreviewSchema)
def preview_move(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """Preview a move.

    Nothing is logged, and the preview stops before the first draw or reveal.
    """
    at = read.perspective(services(), str(game_id), account_id())
    if given.get("type", at.game.type) != at.game.type:
        raise Problem("other-type", found=given["type"], expected=at.game.type)
    return read.preview(at, given.get("commands"), given.get("notation"), given.get("palette", "light"))


@position_blp.route("/games/<uuid:game_id>/openings", methods=["GET"])
@requires_scope("read")
@position_blp.arguments(OpeningsQuerySchema, location="query")
@position_blp.response(200, OpeningSchema(many=True), headers=MORE)
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def list_openings(arguments: dict[str, Any], game_id: UUID) -> Response:
    """List the private part of each entry for your seat.

    For entries with events, in order, a page at a time. Check each against the commitment in its entry. The result of
    your own sealed moves appears here first.
    """
    at = read.perspective(services(), str(game_id), account_id())
    opened, last = read.openings(services(), at, arguments["after"], arguments["limit"])
    return paged(tagged(opened, private=True), last)


# --- Draft moves that came by mail ------------------------------------------------------------------------------------


plans_blp = resource("plans", "Draft moves that you sent by email, to check and sign.")


@plans_blp.route("/games/<uuid:game_id>/plan", methods=["GET"])
@may_refuse(403, 404)
@requires_scope("read")
@plans_blp.response(200, PlanSchema)
@plans_blp.alt_response(304, description=UNCHANGED, success=True)
def get_plan(game_id: UUID) -> Response:
    """Get your emailed draft move.

    404 if there is none. Nobody else can see it. Preview it, sign it on the head and send it, or delete it.
    """
    return tagged(drafts.draft(services(), str(game_id), account_id()), private=True)


@plans_blp.route("/games/<uuid:game_id>/plan", methods=["DELETE"])
@may_refuse(403, 404)
@requires_scope("play")
@plans_blp.response(204)
def drop_plan(game_id: UUID) -> None:
    """Delete your emailed draft move.

    After you have signed and sent it, or if you no longer want it.
    """
    drafts.drop_own_draft(services(), str(game_id), account_id())
