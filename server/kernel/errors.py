"""The errors of this package, and one table: the stable code of every problem, with its status and title.

ServerError
├── ConfigError            kernel.config: a setting is missing or cannot be used; the process does not start
├── RoleError              kernel.db.roles: a PostgreSQL role cannot be restricted to running the server
├── BackupError            operate.backups: a copy of the database is not made, or not restored
└── MailInTransitError     mailbox.delivery_reports: a report on a mail that is still being handed over

SealedMoveError            engine.errors, not under ServerError
└── Problem                a request is refused

`Problem` shares the engine's root because the server answers its own problems and the refusals of the rules alike:
both have a stable code and facts, and one handler turns them into a body of RFC 9457.

The codes of the engine are listed next to the server's own. A code of a game's rules needs no line: its status is 422,
and its title is the rule's own sentence. Tests hold both
tables to the engine's, and each answer to the document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from engine.errors import BadRecord, EngineFault, Refused, SealedMoveError, Uncertain, as_people_count
from engine.kit import format_command
from engine.kit.play import REFUSALS
from engine.record.laws.admission import SAYS

# The codes of the server's own refusals. mypy checks every place that raises one, a test checks the tables.
Code = Literal[
    "account-blocked",
    "address-taken",
    "already-here",
    "already-seated",
    "already-started",
    "asked-too-long-ago",
    "bad-box",
    "bad-challenge",
    "bad-fields",
    "bad-holiday",
    "bad-hook-url",
    "bad-link",
    "bad-user-code",
    "bad-pause",
    "bad-quiet-hours",
    "bad-request",
    "bad-secret",
    "bad-token",
    "bots-own-no-bots",
    "box-changed",
    "by-invitation",
    "broken-lines",
    "choices-changed",
    "engine-fault",
    "entries-given-up",
    "fork",
    "game-over",
    "game-stopped",
    "held-another-seat",
    "holiday-balance",
    "holiday-too-close",
    "guest",
    "guest-table",
    "hook-paused",
    "idempotency-reused",
    "internal-error",
    "joined-too-often",
    "kept-open",
    "key-owned",
    "line-refused",
    "lines-missing",
    "message-stays",
    "method-not-allowed",
    "missing-scope",
    "need-two",
    "new-key",
    "no-bots",
    "no-condition",
    "no-holidays",
    "no-free-seat",
    "no-guests",
    "no-house-player",
    "no-person",
    "no-place",
    "no-seat",
    "no-streams",
    "no-such-entry",
    "no-such-event",
    "no-such-game",
    "no-such-player",
    "no-such-seat",
    "no-talk",
    "not-about-yourself",
    "not-acceptable",
    "not-for-you",
    "not-found",
    "not-host",
    "not-json",
    "not-over",
    "not-signed-in",
    "not-started",
    "not-stopped",
    "not-yours",
    "notes-changed",
    "other-origin",
    "other-type",
    "own-seat",
    "pause-too-long",
    "ping-waits",
    "plain-http",
    "removed-by-host",
    "rules-missing",
    "same-address",
    "same-owner",
    "same-recovery-key",
    "starts-full",
    "seat-changed",
    "seat-kept",
    "seat-not-open",
    "seat-taken",
    "silenced",
    "suspended",
    "talk-closed",
    "talk-full",
    "talk-off",
    "too-few-games",
    "too-large",
    "too-many",
    "too-many-links",
    "too-many-requests",
    "too-much-talk",
    "too-often-by-clock",
    "unavailable",
    "unknown-parameter",
    "unknown-zone",
    "unproven-lines",
    "unregistered-key",
    "unsigned-act",
    "wait-too-long",
    "wrong-act",
    "wrong-audience",
    "wrong-bot",
    "wrong-host",
    "wrong-master",
    "wrong-statement",
]


class ServerError(Exception):
    """The root of this package's errors, except `Problem`: they do not become the answer to a request."""


class Problem(SealedMoveError):
    """The server refuses a request. `facts` are shown to the caller, so they hold nothing secret."""

    def __init__(self, code: Code, /, **facts: object) -> None:
        super().__init__(code, **facts)


# code -> (status, title)
SERVER: Mapping[str, tuple[int, str]] = {
    "bad-request": (400, "The request cannot be read."),
    "bad-fields": (422, "Some fields are invalid."),
    "other-type": (422, "The game is not of the type that the request names."),
    "unknown-parameter": (422, "The URL has an unknown query parameter."),
    "not-signed-in": (401, "Sign in, or send an API token."),
    "other-origin": (403, "The request did not come from a page of this server."),
    "plain-http": (
        403,
        "Signing in with a browser is off over plain HTTP: anyone on the network could take over the session.",
    ),
    "account-blocked": (403, "The operator has blocked this account."),
    "bad-token": (401, "The API token is unknown or was revoked."),
    "bad-secret": (401, "The relay's secret is wrong or its timestamp is too old."),
    "missing-scope": (403, "The API token does not have the required scope."),
    "not-yours": (403, "This belongs to someone else."),
    "no-seat": (403, "You do not have a seat in this game."),
    "seat-not-open": (403, "You can look at the game from another seat only after it has ended."),
    "not-found": (404, "There is nothing at this address."),
    "no-such-game": (404, "There is no game with this ID."),
    "no-such-entry": (404, "The log does not have that entry yet."),
    "wrong-host": (421, "This server does not answer to that host name."),
    "method-not-allowed": (405, "This address does not accept that method."),
    "not-acceptable": (406, "The answer is not available in a format that `Accept` allows."),
    "bad-link": (410, "The link has been used, has expired or was never sent."),
    "bad-user-code": (410, "The code has been used, has expired or was never shown by a program."),
    "bad-challenge": (409, "The nonce has been used, has expired or was never issued."),
    "unsigned-act": (403, "This needs a statement signed with a key of the account."),
    "new-key": (403, "The key has not been approved yet."),
    "wrong-statement": (422, "The signed statement does not match the request."),
    "asked-too-long-ago": (410, "The device asked for approval more than ten minutes ago."),
    "bad-box": (422, "The key backup is invalid."),
    "box-changed": (412, "The key backup changed since you read it."),
    "choices-changed": (412, "Your mail settings changed since you read them."),
    "bad-quiet-hours": (422, "Quiet hours need two different times, or none."),
    "no-condition": (428, "The request does not name the key backup that it expects."),
    "same-recovery-key": (409, "That recovery key was used in an earlier key backup."),
    "same-address": (409, "The account already has that email address."),
    "address-taken": (409, "Another account has that email address."),
    "no-holidays": (403, "Bots do not take holidays."),
    "bad-holiday": (422, "A holiday begins now or on a later day, at most a year ahead."),
    "holiday-too-close": (409, "There must be at least seven days between this holiday and your other one."),
    "holiday-balance": (409, "You do not have that many days of holiday left."),
    "bad-pause": (422, "A pause lasts for at least an hour."),
    "pause-too-long": (409, "The host of this game may not pause it for that many days."),
    "unknown-zone": (422, "There is no time zone with that name."),
    "too-large": (413, "The request is too large."),
    "not-json": (415, "The request body must be `application/json`."),
    "key-owned": (409, "The key is already registered to an account."),
    "unregistered-key": (403, "The key is not registered to any account."),
    "already-seated": (409, "You already have a seat in this game."),
    "held-another-seat": (403, "You have held another seat in this game and have seen its hidden cards."),
    "joined-too-often": (409, "You have joined and left this game too often."),
    "own-seat": (403, "You cannot give more time to your own seat."),
    "wrong-act": (422, "This address takes a different kind of act."),
    "not-host": (403, "Only the host of the table may do this."),
    "idempotency-reused": (422, "This Idempotency-Key was used for a different request."),
    "lines-missing": (
        409,
        "Entries of this game are missing on the server. The game waits until someone submits them.",
    ),
    "fork": (
        409,
        "This contradicts the server's log: two histories of the game were signed. The operator has been notified.",
    ),
    "entries-given-up": (409, "The missing entries were given up, and the game continues without them."),
    "broken-lines": (422, "The submitted lines do not continue the log entry by entry."),
    "unproven-lines": (422, "The submitted lines do not end at a checkpoint that is signed with the key of this game."),
    "not-stopped": (409, "The game is not stopped."),
    "line-refused": (422, "A submitted line breaks the rules of the log. The operator has been notified."),
    "bad-hook-url": (422, "Webhooks cannot be sent to this URL."),
    "hook-paused": (409, "The webhook is paused."),
    "wrong-bot": (422, "`bot` does not match the account."),
    "no-bots": (403, "This table does not admit this kind of bot."),
    "same-owner": (409, "You and your bots cannot share a table that does not allow related players."),
    "seat-kept": (409, "The seat is reserved for another player."),
    "no-house-player": (409, "No house player of that level is free for this table."),
    "already-here": (409, "That player has a seat or an invitation at this table."),
    "no-free-seat": (409, "No seat is free at this table."),
    "not-over": (409, "The game has not finished."),
    "need-two": (409, "At least two people who are not absent must be playing this game."),
    "by-invitation": (403, "Only invited players may join this table."),
    "removed-by-host": (403, "The host removed you from this table."),
    "seat-changed": (409, "Someone else has the seat now."),
    "starts-full": (409, "This table starts as soon as all seats are taken."),
    "no-person": (409, "The seat is not held by a person with an account."),
    "kept-open": (409, "This table cannot be kept open any longer."),
    "bots-own-no-bots": (403, "A bot cannot have bots of its own."),
    "no-talk": (403, "Bots cannot talk at tables."),
    "silenced": (403, "The operator has stopped you from writing at tables for some time."),
    "suspended": (403, "The operator has stopped you from opening tables and taking seats for some time."),
    "guest": (403, "You need an email address for this. You play as a guest."),
    "guest-table": (403, "A guest plays here. Nobody else can join."),
    "no-guests": (503, "This server has the maximum number of guests."),
    "not-for-you": (403, "You cannot sit at this table."),
    "too-few-games": (403, "This table asks for more finished games than you have."),
    "too-often-by-clock": (403, "This table asks for a larger share of turns in time than yours."),
    "no-such-player": (404, "No player has this handle."),
    "talk-off": (409, "Talk is switched off at this table."),
    "talk-closed": (410, "Nobody can write at this table any more."),
    "talk-full": (409, "This table has the maximum number of messages."),
    "too-much-talk": (429, "You have written too many messages recently."),
    "message-stays": (409, "You can take a message back only within ten minutes."),
    "not-about-yourself": (422, "You cannot mute or report yourself."),
    "notes-changed": (412, "Your notes changed since you read them."),
    "ping-waits": (409, "A test event for this webhook is already on its way."),
    "no-such-event": (409, "There is no event with this number, or it has been deleted."),
    "game-stopped": (503, "The game is stopped because of a fault on this server, until the operator has resolved it."),
    "rules-missing": (503, "The rules of this game are not installed on this server. All other games continue."),
    "wrong-master": (
        503,
        "This server was started with a secret that does not belong to its games. The operator has been notified.",
    ),
    "too-many": (409, "{says}: you have reached the limit of {most}."),
    "too-many-requests": (429, "Too many requests."),
    "too-many-links": (429, "Too many sign-in links were sent to this address recently."),
    "wait-too-long": (422, "The requested wait is too long."),
    "no-place": (503, "The server is already holding as many requests as it can."),
    "no-streams": (503, "Event streams are not available right now."),
    "unavailable": (503, "The server cannot do this right now."),
    "engine-fault": (
        500,
        "Something went wrong on this server. Nothing has changed, and the operator has been notified.",
    ),
    "internal-error": (500, "Something went wrong on this server. The operator has been notified."),
}

# Refusals of the record and the engine. 409: would be valid at another time or on another head; 403: for somebody else.
ENGINE: Mapping[str, int] = {
    "wrong-audience": 422,
    "wrong-game": 422,
    "no-such-seat": 422,
    "unknown-key": 401,
    "wrong-seat": 403,
    "dropped-key": 401,
    "bad-signature": 401,
    "wrong-key": 422,
    "game-over": 410,
    "not-started": 409,
    "already-started": 409,
    "seat-taken": 409,
    "seat-empty": 409,
    "too-many-joins": 409,
    "not-full": 409,
    "already-resigned": 409,
    "no-handover": 409,
    "same-offer": 409,
    "too-many-offers": 409,
    "not-free": 409,
    "offer-waits": 409,
    "too-many-takes": 409,
    "same-key": 409,
    "recovery-only": 403,
    "not-recovery": 403,
    "not-a-key": 409,
    "last-key": 409,
    "too-many-keys": 409,
    "too-many-recoveries": 409,
    "stale-head": 409,
    "unknown-head": 409,
    "wrong-form": 422,
    "unsigned-move": 403,
    "not-due": 409,
    "not-active": 403,
    "no-clock": 409,
    "seat-gone": 409,
    "nothing-owed": 409,
    "too-much-granted": 409,
    "too-many-grants": 409,
    "nothing-lost": 409,
    "unknown-game": 404,
    "unknown-level": 422,
    "game-out": 503,
    "bad-seats": 422,
    "not-now": 422,
    "nothing-done": 422,
    "bad-notation": 422,
    "ambiguous": 422,
    "bad-move": 422,
}

TITLES: Mapping[str, str] = {
    **{code: re.sub(r"(\. \w+)?[:;].*", "", title).rstrip(".") + "." for code, title in REFUSALS.items()},
    **SAYS,
    "unknown-game": "There is no game type with that name.",
    "unknown-level": "This game has no players of that level.",
    "game-out": "The server cannot load the rules of this game right now. All other games continue.",
    "bad-seats": "The game cannot be played with that number of players.",
}


def status_of(error: SealedMoveError) -> int:
    """The HTTP status of an error: 400 for bytes that cannot be read, 422 for what a rule refuses."""
    if error.code in SERVER:
        return SERVER[error.code][0]
    if isinstance(error, EngineFault):
        return 500
    if isinstance(error, BadRecord) and error.code not in ENGINE:
        return 422 if error.code in UNPROCESSABLE else 400
    return ENGINE.get(error.code, 422)


# Well-formed, but not valid for this game, which the reader of the record finds out.
UNPROCESSABLE = frozenset({"bad-options", "bad-edition", "wrong-seal", "bad-commands", "bad-clock", "bad-handover"})


def public_code(error: SealedMoveError) -> str:
    """The code that callers see; every fault of the engine is `engine-fault`."""
    return "engine-fault" if isinstance(error, EngineFault) else error.code


def body_of(error: SealedMoveError, title: str | None = None) -> dict[str, Any]:
    """The members of the problem document. `title` is the game's own sentence for a refusal of its rules."""
    code = public_code(error)
    made: dict[str, Any] = {
        "type": f"/problems/{code}",
        "title": title or _title(error, code),
        "status": status_of(error),
        "code": code,
    }
    if isinstance(error, BadRecord):
        return made | {"detail": error.says}
    if isinstance(error, (Refused, Problem, Uncertain)):
        return made | _facts(error)
    return made


def _title(error: SealedMoveError, code: str) -> str:
    if isinstance(error, BadRecord) and code not in SERVER:
        return "The request is not valid for this game." if status_of(error) == 422 else "The request cannot be parsed."
    template = SERVER[code][1] if code in SERVER else TITLES.get(code)
    if template is None:
        return code.replace("-", " ").capitalize() + "."
    try:
        return template.format_map(as_people_count(error.facts))
    except KeyError:
        return template.partition("{")[0].rstrip(": '") or code


def _facts(error: SealedMoveError) -> dict[str, Any]:
    """Facts under `facts`, except those with a member of their own."""
    own = {name: error.facts[name] for name in ("detail", "entries", "unchanged", "errors") if name in error.facts}
    rest = {name: value for name, value in error.facts.items() if name not in own}
    if isinstance(error, Refused) and error.about:
        rest |= {"command": error.about.number, "notation": format_command(error.about.command)}
        rest |= {"forced": [format_command(command) for command in error.about.forced]} if error.about.forced else {}
    return own | ({"facts": rest} if rest else {})
