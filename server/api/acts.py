"""Signed acts of seats. No token is needed: the signature says who acts, and the answer holds public bytes only.

They differ in what is signed and in who carries it out, so they are rows of one table; a row's text describes it in
the API's document as a docstring would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from marshmallow import Schema

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


class Act(NamedTuple):
    """One kind of act: the last part of its path, its operation, what is sent, who logs it, what the document says."""

    path: str
    operation: str
    sent: type[Schema]
    log: Callable[..., Logged]
    says: str
    by_rules: bool = False


ACTS = (
    Act(
        "join",
        "join_game",
        JoinSchema,
        join,
        """Take a seat with a registered key; the last one starts the game. Keys and times stay in the log for ever.

    The payload is a `JoinPayload`. Any empty seat may be taken; an account has one seat in a game. If two join at once,
    the later one gets 409 `stale-head` and signs again upon the new head, with the same nonce.""",
    ),
    Act(
        "leave",
        "leave_game",
        LeaveSchema,
        leave,
        """Give a seat up before the start.

    The payload is a `LeavePayload`.""",
    ),
    Act(
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
    Act(
        "resign",
        "resign_game",
        ResignSchema,
        resign,
        """Give the game up; the clock plays the seat from then on.

    The payload is a `ResignPayload`.""",
    ),
    Act(
        "keys",
        "change_keys",
        ChangeKeysSchema,
        rekey,
        """Add a key to a seat, drop one, or replace its recovery key.

    The payload is a `KeyPayload`.""",
    ),
    Act(
        "offer",
        "offer_seat",
        OfferSchema,
        offer,
        """Open a seat of a running game to others, or close it again; to close it also says "I am back".

    The payload is an `OfferPayload`. Whoever offers plays on until somebody takes the seat.""",
    ),
    Act(
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


def _view(act: Act) -> Callable[[dict[str, Any], UUID], tuple[dict[str, str], int]]:
    def log(given: dict[str, Any], game_id: UUID) -> tuple[dict[str, str], int]:
        """A hidden game's move comes with the text that its signature seals."""
        answer = act.log(services(), str(game_id), given.pop("jws"), **given)
        return {"entry": answer.line.decode("ascii"), "note": answer.note}, 200 if answer.again else 201

    log.__name__, log.__doc__ = act.operation, act.says
    return log


def _route(act: Act) -> None:
    view: Any = _view(act)
    for decorate in (
        blp.alt_response(200, schema=AnswerSchema, description="Logged before; the same bytes.", success=True),
        blp.response(201, AnswerSchema),
        blp.arguments(act.sent),
        refuses(401, 403, 409, 410, by_rules=act.by_rules),
        blp.route(f"/games/<uuid:game_id>/{act.path}", methods=["POST"]),
    ):
        view = decorate(view)


for _act in ACTS:
    _route(_act)
