"""Signed acts of seats. No token is needed: the signature says who acts, and the answer holds public bytes only."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from server.api.house import refuses, resource, services
from server.api.schemas.acts import (
    AnswerSchema,
    ChangeKeysSchema,
    JoinSchema,
    LeaveSchema,
    MoveSchema,
    OfferSchema,
    ResignSchema,
    TakeSchema,
)
from server.log.ledger import Logged
from server.usecases.join import join
from server.usecases.leave import leave
from server.usecases.offer import offer
from server.usecases.rekey import rekey
from server.usecases.resign import resign
from server.usecases.submit import submit
from server.usecases.take import take

blp = resource("acts", "Signed acts; the same JWS again is answered with the same bytes.")


@blp.route("/games/<uuid:game_id>/join", methods=["POST"])
@refuses(401, 403, 409, 410)
@blp.arguments(JoinSchema)
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True)
def join_game(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Take a seat with a registered key; the last one starts the game. Keys and times stay in the log for ever.

    The payload is a `JoinPayload`. Any empty seat may be taken; an account has one seat in a game. If two join at once,
    the later one gets 409 `stale-head` and signs again upon the new head, with the same nonce.
    """
    return _answer(join(services(), str(game_id), given["jws"]))


@blp.route("/games/<uuid:game_id>/leave", methods=["POST"])
@refuses(401, 403, 409, 410)
@blp.arguments(LeaveSchema)
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True)
def leave_game(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Give a seat up before the start.

    The payload is a `LeavePayload`.
    """
    return _answer(leave(services(), str(game_id), given["jws"]))


@blp.route("/games/<uuid:game_id>/moves", methods=["POST"])
@refuses(401, 403, 409, 410, by_rules=True)
@blp.arguments(MoveSchema)
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True)
def submit_move(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Move: 1 to 64 commands, signed upon the head; 409 tells the entries missed and whether to sign again.

    The payload is a `MovePayload`. In a hidden game it holds `sealed`, and `text` comes beside the JWS; in an open one
    it holds `commands`, and there is no `text`. The commands are played in order. If the rules refuse one, the whole
    move is refused, and nothing is logged; but once a die was thrown or a card drawn, what was done stands and the
    rest is dropped. No answer, 5xx or 429: send the same bytes again.
    """
    return _answer(submit(services(), str(game_id), given["jws"], given.get("text")))


@blp.route("/games/<uuid:game_id>/resign", methods=["POST"])
@refuses(401, 403, 409, 410)
@blp.arguments(ResignSchema)
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True)
def resign_game(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Give the game up; the clock plays the seat from then on.

    The payload is a `ResignPayload`.
    """
    return _answer(resign(services(), str(game_id), given["jws"]))


@blp.route("/games/<uuid:game_id>/keys", methods=["POST"])
@refuses(401, 403, 409, 410)
@blp.arguments(ChangeKeysSchema)
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True)
def change_keys(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Add a key to a seat, drop one, or replace its recovery key.

    The payload is a `KeyPayload`.
    """
    return _answer(rekey(services(), str(game_id), given["jws"]))


@blp.route("/games/<uuid:game_id>/offer", methods=["POST"])
@refuses(401, 403, 409, 410)
@blp.arguments(OfferSchema)
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True)
def offer_seat(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Open a seat of a running game to others, or close it again; to close it also says "I am back".

    The payload is an `OfferPayload`. Whoever offers plays on until somebody takes the seat.
    """
    return _answer(offer(services(), str(game_id), given["jws"]))


@blp.route("/games/<uuid:game_id>/take", methods=["POST"])
@refuses(401, 403, 409, 410)
@blp.arguments(TakeSchema)
@blp.response(201, AnswerSchema)
@blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True)
def take_seat(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
    """Take over a seat that is `free` in a running game, with a registered key.

    The payload is a `TakePayload`. An account has one seat in a game, and whoever held another one of it while it ran
    takes none; one's own former seat may be taken again, with a new key. All keys of the holder before are dropped.
    What the seat alone may know is shown to the new one from the beginning, and to the old one no more.
    """
    return _answer(take(services(), str(game_id), given["jws"]))


def _answer(answer: Logged) -> tuple[dict[str, str], int]:
    return {"entry": answer.line.decode("ascii"), "note": answer.note}, 200 if answer.again else 201
