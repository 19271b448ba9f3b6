"""The API of table talk and private notes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from server.http.etags import is_version
from server.http.resource import (
    MORE,
    UNCHANGED,
    account_id,
    may_refuse,
    paged,
    requires_scope,
    resource,
    services,
    tagged,
)
from server.http.schemas import MOST, KnownSchema
from server.tables.choice_schemas import IdempotencySchema
from server.tables.talk import read, write
from server.tables.talk.schemas import (
    MessageSchema,
    NotesSchema,
    ReportSchema,
    SeenSchema,
    SendMessageSchema,
    TalkQuerySchema,
    TalkSchema,
)
from server.tables.talk.write import NewMessage

talk_blp = resource("talk", "Table talk among those who hold seats, and your private notes. See docs/talk.md.")
TALK = "/games/<uuid:game_id>/talk"
MUTE = f"/games/<uuid:game_id>/mutes/<int(max={MOST}):seat>"
NOTES = "/games/<uuid:game_id>/notes"


@talk_blp.route(TALK, methods=["GET"])
@requires_scope("read")
@talk_blp.arguments(TalkQuerySchema, location="query")
@talk_blp.response(200, TalkSchema, headers=MORE)
@talk_blp.alt_response(304, description=UNCHANGED, success=True)
def list_talk(arguments: dict[str, Any], game_id: UUID) -> Response:
    """Read the table talk.

    Players who hold a seat get all of it, from the beginning. Former holders get what was said until they lost their
    seat. All others get `no-seat`. The event `talk` announces new and removed messages, without text.
    """
    body = read.talk(services(), account_id(), str(game_id), arguments["after"], arguments["limit"])
    return paged(tagged(body, private=True), body["next"])


@talk_blp.route(TALK, methods=["POST"])
@may_refuse(409, 410)
@requires_scope("play")
@talk_blp.arguments(SendMessageSchema, example={"text": "Good luck, everybody!"})
@talk_blp.arguments(IdempotencySchema, location="headers")
@talk_blp.response(201, MessageSchema)
@talk_blp.alt_response(200, schema=MessageSchema, description="Written before; the same message.", success=True)
def send_message(given: dict[str, Any], headers: dict[str, Any], game_id: UUID) -> tuple[dict[str, Any], int]:
    """Write to the table.

    For people who hold a seat: before the start, during the game, and until seven days after its end. All holders of
    seats read it, and anyone who takes a seat later. The others get it with their next email about the game. At most 30
    messages an hour at a table, 200 a day in all, and 2,000 at a table. Send an `Idempotency-Key`, so that a repeated
    request does not write it twice.
    """
    new = NewMessage(given["text"], "api", headers.get("key"))
    message, again = write.say(services(), account_id(), str(game_id), new)
    return message, 200 if again else 201


@talk_blp.route(f"{TALK}/<int(max={MOST}):n>", methods=["DELETE"])
@may_refuse(409)
@requires_scope("play")
@talk_blp.response(204)
def take_back_message(game_id: UUID, n: int) -> None:
    """Take back your message, within ten minutes.

    Its text is deleted. Emails that were sent with it stay as they are.
    """
    write.take_back(services(), account_id(), str(game_id), n)


@talk_blp.route(f"{TALK}/<int(max={MOST}):n>/report", methods=["POST"])
@may_refuse(409)
@requires_scope("play")
@talk_blp.arguments(ReportSchema, example={"why": "An insult."})
@talk_blp.response(204)
def report_message(given: dict[str, Any], game_id: UUID, n: int) -> None:
    """Report a message to the operator.

    The report has a copy of its text, kept for 180 days. A second report of the same message changes nothing.
    """
    write.report(services(), account_id(), str(game_id), n, given["why"])


@talk_blp.route(f"{TALK}/seen", methods=["PUT"])
@requires_scope("play")
@talk_blp.arguments(SeenSchema, example={"n": 3})
@talk_blp.response(204)
def mark_talk_seen(given: dict[str, Any], game_id: UUID) -> None:
    """Mark messages as seen, up to this one.

    Emails repeat only messages that you have not seen. The mark never moves back.
    """
    write.mark_seen(services(), account_id(), str(game_id), given["n"])


@talk_blp.route(MUTE, methods=["PUT"])
@requires_scope("play")
@talk_blp.response(204)
def mute_seat(game_id: UUID, seat: int) -> None:
    """Mute the player at a seat.

    You no longer get messages at this table, here or in emails, from the player who holds the seat now. They are not
    notified. A player who takes the seat later is not muted.
    """
    write.mute(services(), account_id(), str(game_id), seat, is_muted=True)


@talk_blp.route(MUTE, methods=["DELETE"])
@requires_scope("play")
@talk_blp.response(204)
def unmute_seat(game_id: UUID, seat: int) -> None:
    """End the muting of the player at a seat.

    You then also get what they wrote while they were muted.
    """
    write.mute(services(), account_id(), str(game_id), seat, is_muted=False)


@talk_blp.route(NOTES, methods=["GET"])
@requires_scope("read")
@talk_blp.response(200, NotesSchema)
@talk_blp.alt_response(304, description=UNCHANGED, success=True)
def get_notes(game_id: UUID) -> Response:
    """Get your private notes on a game.

    For anyone who holds or held a seat. They belong to your account: a player who takes your seat does not get them.
    """
    return tagged(read.notes(services(), account_id(), str(game_id)), private=True)


@talk_blp.route(NOTES, methods=["PUT"])
@may_refuse(412)
@requires_scope("play")
@talk_blp.arguments(KnownSchema, location="headers")
@talk_blp.arguments(NotesSchema, example={"text": "Ben collects temples."})
@talk_blp.response(200, NotesSchema)
def put_notes(headers: dict[str, Any], given: dict[str, Any], game_id: UUID) -> Response:
    """Replace your private notes on a game.

    Send the `ETag` of the version that you have as `If-Match`, so that two devices do not overwrite each other.
    """
    condition = headers.get("known")
    known = None if condition is None else lambda text: is_version(condition, {"text": text})
    write.keep_notes(services(), account_id(), str(game_id), given["text"], known)
    return tagged({"text": given["text"]}, private=True)
