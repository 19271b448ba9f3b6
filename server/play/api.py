"""Signed acts of seats. No token is needed: the signature says who acts, and the answer holds public bytes only.

They differ in what is signed and in who carries it out, so they are rows of one table; a row's text describes it in
the API's document as a docstring would.
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
    PlanSchema,
    PositionSchema,
    PreviewSchema,
    ResignSchema,
    TakeSchema,
)
from server.play.write import join, leave, offer, rekey, resign, submit, take

acts_blp = resource("acts", "Signed acts; the same JWS again is answered with the same bytes.")


class ActRoute(NamedTuple):
    """One kind of act: the last part of its path, its operation, what is sent, who logs it, what the document says."""

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
        """Take a seat with a registered key; the last one starts the game. Keys and times stay in the log for ever.

    The payload is a `JoinPayload`. Any empty seat may be taken; an account has one seat in a game. If two join at once,
    the later one gets 409 `stale-head` and signs again upon the new head, with the same nonce.""",
    ),
    ActRoute(
        "leave",
        "leave_game",
        LeaveSchema,
        leave,
        """Give a seat up before the start.

    The payload is a `LeavePayload`.""",
    ),
    ActRoute(
        "moves",
        "submit_move",
        MoveSchema,
        submit,
        """Move: 1 to 64 commands, signed upon the head; 409 tells the entries missed and whether to sign again.

    The payload is a `MovePayload`. In a hidden game it holds `sealed`, and `text` comes beside the JWS; in an open one
    it holds `commands`, and there is no `text`. The commands are played in order. If the rules refuse one, the whole
    move is refused, and nothing is logged; but once a die was thrown or a card drawn, what was done stands and the
    rest is dropped. No answer, 5xx or 429: send the same bytes again.""",
        by_rules=True,
    ),
    ActRoute(
        "resign",
        "resign_game",
        ResignSchema,
        resign,
        """Give the game up; the clock plays the seat from then on.

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
        """Open a seat of a running game to others, or close it again; to close it also says "I am back".

    The payload is an `OfferPayload`. Whoever offers plays on until somebody takes the seat. An offer waits for the
    `offer_wait` of the game before anyone may take the seat, unless the seat's recovery key signed it.""",
    ),
    ActRoute(
        "take",
        "take_seat",
        TakeSchema,
        take,
        """Take over a seat that is `free` in a running game, with a registered key.

    The payload is a `TakePayload`. An account has one seat in a game, and whoever held another one of it while it ran
    takes none; one's own former seat may be taken again, with a new key. All keys of the holder before are dropped.
    What the seat alone may know is shown to the new one from the beginning, and to the old one no more.""",
    ),
)


def _view(act: ActRoute) -> Callable[[dict[str, Any], UUID], tuple[dict[str, str], int]]:
    def log(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
        """A hidden game's move comes with the text that its signature seals."""
        answer = act.log(services(), str(game_id), given.pop("jws"), **given)
        return {"entry": answer.line.decode("ascii"), "note": answer.note}, 200 if answer.again else 201

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


# --- A game from one's own seat, or from anybody's --------------------------------------------------------------------


position_blp = resource("position", "What you see from your seat and may do; without a token, what anybody sees.")


@position_blp.route("/games/<uuid:game_id>/view", methods=["GET"])
@token_optional
@position_blp.arguments(LookSchema, location="query")
@position_blp.response(200, PositionSchema)
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def get_view(arguments: dict[str, Any], game_id: UUID) -> Response:
    """The position, as values and as text; also as it was after an earlier entry.

    Poll it with `If-None-Match`: until something happens the answer is 304 and costs nothing. Looking back, too, is
    done from the seat that you hold now, with its eyes from the beginning; the players' names are those of then.
    """
    at = _perspective(arguments, game_id)
    return tagged(read.view(at) | {"sentences": read.sentences(services(), at)}, private=at.seat is not None)


@position_blp.route("/games/<uuid:game_id>/picture", methods=["GET"])
@token_optional
@position_blp.arguments(LookSchema, location="query")
@position_blp.response(200, {"type": "string"}, content_type="image/svg+xml")
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def get_picture(arguments: dict[str, Any], game_id: UUID) -> Response:
    """The position as SVG; also as it was after an earlier entry.

    Without a token, as anybody sees it. There is none before the start. What a command can name holds `data-word`, kind
    and word as they are typed (`cell:g4`; several, parted by blanks, where words meet), pieces that belong to a seat
    `data-seat`, counted from 1, and each has a `<title>`. No style, script or address is in it.
    """
    at = _perspective(arguments, game_id)
    answer = Response(read.picture(at), mimetype="image/svg+xml")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return tagged(answer, private=at.seat is not None)


def _perspective(arguments: dict[str, Any], game_id: UUID) -> read.Perspective:
    return read.perspective(services(), str(game_id), reader_id(), seq=arguments.get("at"), seat=arguments.get("seat"))


@position_blp.route("/games/<uuid:game_id>/legal", methods=["GET"])
@requires_scope("read")
@position_blp.response(200, LegalSchema(many=True))
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def list_legal(game_id: UUID) -> Response:
    """Every command that your seat may give now, each once, with its words.

    The words of a list are a tree: who asks for one word after the other, and offers only those with which a command
    goes on, comes to each. What a word points at stands on the picture as `data-word`, kind and word. An empty list
    while your seat owes no move. Commands that follow one another need to be asked for one by one: by a move, or by
    `preview`.
    """
    at = read.perspective(services(), str(game_id), account_id())
    return tagged(read.legal_commands(at), private=True)


@position_blp.route("/games/<uuid:game_id>/preview", methods=["POST"])
@may_refuse(409, 410, by_rules=True)
@requires_scope("read")
@position_blp.arguments(IntentSchema)
@position_blp.response(200, PreviewSchema)
def preview_move(given: dict[str, Any], game_id: UUID) -> dict[str, Any]:
    """What a move of yours would do.

    Nothing is committed, and no draw or reveal is crossed.
    """
    at = read.perspective(services(), str(game_id), account_id())
    if given.get("type", at.game.type) != at.game.type:
        raise Problem("other-type", found=given["type"], expected=at.game.type)
    return read.preview(at, given.get("commands"), given.get("notation"))


@position_blp.route("/games/<uuid:game_id>/openings", methods=["GET"])
@requires_scope("read")
@position_blp.arguments(OpeningsQuerySchema, location="query")
@position_blp.response(200, OpeningSchema(many=True), headers=MORE)
@position_blp.alt_response(304, description=UNCHANGED, success=True)
def list_openings(arguments: dict[str, Any], game_id: UUID) -> Response:
    """What your seat alone may read of each entry, to be checked against the entry's seal.

    For entries that have events, in order, a page at a time; what your own sealed moves came to is told here first.
    """
    at = read.perspective(services(), str(game_id), account_id())
    opened, last = read.openings(services(), at, arguments["after"], arguments["limit"])
    return paged(tagged(opened, private=True), last)


# --- Plans of seats that came by mail ---------------------------------------------------------------------------------


plans_blp = resource("plans", "Commands that you have answered a mail with, to look at and sign.")


@plans_blp.route("/games/<uuid:game_id>/plan", methods=["GET"])
@may_refuse(403, 404)
@requires_scope("read")
@plans_blp.response(200, PlanSchema)
@plans_blp.alt_response(304, description=UNCHANGED, success=True)
def get_plan(game_id: UUID) -> Response:
    """The plan that you mailed for your seat.

    404 if there is none. Nobody else sees it, and it is no move: preview it, sign it upon the head, send it, drop it.
    """
    return tagged(drafts.draft(services(), str(game_id), account_id()), private=True)


@plans_blp.route("/games/<uuid:game_id>/plan", methods=["DELETE"])
@may_refuse(403, 404)
@requires_scope("play")
@plans_blp.response(204)
def drop_plan(game_id: UUID) -> None:
    """Drop the plan that you mailed.

    When it was signed and sent, or is not wanted.
    """
    drafts.drop_own_draft(services(), str(game_id), account_id())
