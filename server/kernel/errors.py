"""The errors of this package, and one table: the stable code of every problem, with its status and title.

ServerError
├── ConfigError            kernel.config: a setting is missing or cannot be used; the process does not start
└── MailInTransitError     mailbox.delivery_reports: a report on a mail that is still being handed over

SealedMoveError            engine.errors, not under ServerError
└── Problem                a request is refused

`Problem` has the engine's root, since a problem of the server and a refusal of the rules are answered alike: both have
a stable code and facts, one handler turns them into a body of RFC 9457, and a caller catches them as one.

Codes of the engine stand here next to the server's own; a code of a game's rules needs no line: 422, and the title is
the rule's own sentence. Tests hold both tables to the engine's, and each answer to the document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from engine.errors import BadRecord, EngineFault, Refused, SealedMoveError, Uncertain, as_people_count
from engine.kit import format_command
from engine.kit.play import REFUSALS
from engine.record.laws.admission import SAYS

# The codes with which the server itself says no. mypy holds each place that raises one to these, and a test the tables.
Code = Literal[
    "address-taken",
    "already-seated",
    "already-started",
    "asked-too-long-ago",
    "bad-box",
    "bad-challenge",
    "bad-fields",
    "bad-hook-url",
    "bad-link",
    "bad-quiet-hours",
    "bad-request",
    "bad-secret",
    "bad-token",
    "bots-own-no-bots",
    "box-changed",
    "broken-lines",
    "choices-changed",
    "engine-fault",
    "fork",
    "game-over",
    "game-stopped",
    "held-another-seat",
    "hook-paused",
    "idempotency-reused",
    "internal-error",
    "joined-too-often",
    "key-owned",
    "line-refused",
    "lines-missing",
    "method-not-allowed",
    "missing-scope",
    "new-key",
    "no-bots",
    "no-condition",
    "no-house-player",
    "no-place",
    "no-seat",
    "no-streams",
    "no-such-entry",
    "no-such-event",
    "no-such-game",
    "no-such-seat",
    "not-acceptable",
    "not-creator",
    "not-found",
    "not-json",
    "not-signed-in",
    "not-started",
    "not-stopped",
    "not-yours",
    "other-origin",
    "other-type",
    "own-seat",
    "ping-waits",
    "plain-http",
    "same-address",
    "same-owner",
    "same-recovery-key",
    "seat-kept",
    "seat-not-open",
    "seat-taken",
    "too-large",
    "too-many-bots",
    "too-many-grants",
    "too-many-hooks",
    "too-many-house-tables",
    "too-many-links",
    "too-many-requests",
    "too-many-tables",
    "too-many-waiting",
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
    "wrong-statement",
]


class ServerError(Exception):
    """The root of the errors that answer no request: catch it for whatever else this package raises by itself."""


class Problem(SealedMoveError):
    """The server says no. `facts` are shown, so they hold nothing secret."""

    def __init__(self, code: Code, /, **facts: object) -> None:
        super().__init__(code, **facts)


# code -> (status, title)
SERVER: Mapping[str, tuple[int, str]] = {
    "bad-request": (400, "The request cannot be read."),
    "bad-fields": (422, "Some fields of the request are not as they must be."),
    "other-type": (422, "The game is of another type than the request says."),
    "unknown-parameter": (422, "The address takes no such query parameter."),
    "not-signed-in": (401, "This is for who is signed in, or shows an API token."),
    "other-origin": (403, "This was not sent by a page of this server."),
    "plain-http": (403, "Over plain http nobody is signed in on a page: who is on the way could be him."),
    "bad-token": (401, "The API token is unknown or was revoked."),
    "bad-secret": (401, "What the relay shows is not its secret, or is too old."),
    "missing-scope": (403, "The API token lacks a scope."),
    "not-yours": (403, "This belongs to somebody else."),
    "no-seat": (403, "You have no seat in this game."),
    "seat-not-open": (403, "What another seat sees is open when the game is over, and not before."),
    "not-found": (404, "There is nothing here."),
    "no-such-game": (404, "There is no such game."),
    "no-such-entry": (404, "The log has no such entry yet."),
    "wrong-host": (421, "This server has another name than the one that it was asked by."),
    "method-not-allowed": (405, "This method does nothing here."),
    "not-acceptable": (406, "The answer exists in no such form."),
    "bad-link": (410, "The link is used, expired or was never sent."),
    "bad-challenge": (409, "The nonce is used, expired or was never given."),
    "unsigned-act": (403, "This needs a statement that is signed by a key of the account."),
    "new-key": (403, "The key does not count for the account yet."),
    "wrong-statement": (422, "The signed statement says something else than the request."),
    "asked-too-long-ago": (410, "The device asked to be let in more than ten minutes ago."),
    "bad-box": (422, "This is no key box as this server keeps them."),
    "box-changed": (412, "The key box is another one than the request names."),
    "choices-changed": (412, "What was chosen about mail is not as the request names it."),
    "bad-quiet-hours": (422, "Quiet hours have a beginning and another hour as their end, or there are none."),
    "no-condition": (428, "The request must say which key box it knows."),
    "same-recovery-key": (409, "That recovery key was in a key box before."),
    "same-address": (409, "There is no other address to change to."),
    "address-taken": (409, "The address has an account of its own."),
    "too-many-waiting": (409, "As much waits already, or was asked for today, as may be."),
    "unknown-zone": (422, "There is no time zone of that name."),
    "too-large": (413, "The request is larger than the server reads."),
    "not-json": (415, "The body must be application/json."),
    "key-owned": (409, "The key belongs to an account already."),
    "unregistered-key": (403, "The key is registered with no account."),
    "already-seated": (409, "You have a seat in this game already."),
    "held-another-seat": (403, "You held another seat of this game, and know what it knew."),
    "joined-too-often": (409, "You have taken and left seats of this game too often."),
    "own-seat": (403, "You cannot give time to a seat of your own."),
    "too-many-grants": (409, "Time was granted in this game as often as its creator may."),
    "wrong-act": (422, "The signed act is another one than this address takes."),
    "not-creator": (403, "Only the creator of the game may do this."),
    "idempotency-reused": (422, "The Idempotency-Key was used for another request."),
    "lines-missing": (409, "Entries of this game are missing here; it waits until somebody hands them in."),
    "fork": (409, "This contradicts the log here: two histories of the game were signed. The operator has been told."),
    "broken-lines": (422, "The lines are not those of the log, one after the other, upon what is here."),
    "unproven-lines": (422, "There is no note of this game, signed with its own key, at which the lines end."),
    "not-stopped": (409, "The game is not stopped."),
    "line-refused": (422, "A line cannot follow: no rule comes to it. The operator has been told."),
    "bad-hook-url": (422, "A hook cannot be sent to this URL."),
    "too-many-hooks": (409, "The account has as many hooks as it may."),
    "hook-paused": (409, "The hook is paused: let it go on first."),
    "wrong-bot": (422, "`bot` says whether a machine plays, and must say what the account is."),
    "no-bots": (403, "Whoever opened the table lets no such bots sit down."),
    "same-owner": (409, "A person and the bots he answers for do not share a table, unless it says so."),
    "seat-kept": (409, "The seat is kept for a house player."),
    "no-house-player": (409, "No house player of that level is free for this table."),
    "too-many-house-tables": (409, "You have as many tables with house players as an account may have at a time."),
    "too-many-tables": (409, "The bot sits at as many tables as a bot may at a time."),
    "too-many-bots": (409, "You have as many bots as a person may have."),
    "bots-own-no-bots": (403, "A bot has no bots: a person answers for each."),
    "ping-waits": (409, "A ping of this hook is on its way already."),
    "no-such-event": (409, "No event from this number on is kept."),
    "game-stopped": (503, "The game is stopped until its operator has looked at a fault of ours."),
    "too-many-requests": (429, "Too many requests."),
    "too-many-links": (429, "As many links to sign in were mailed to this address lately as may be."),
    "wait-too-long": (422, "The server holds no request as long as that."),
    "no-place": (503, "All places for requests that are held are taken."),
    "no-streams": (503, "Streams of events are not served now. Ask again later, or poll."),
    "unavailable": (503, "The server cannot do this now."),
    "engine-fault": (500, "A fault of ours; nothing has changed. The operator has been told."),
    "internal-error": (500, "A fault of ours. The operator has been told."),
}

# What the record's door and the engine refuse. 409: another time or another head; 403: another person.
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
    "too-many-takes": 409,
    "key-taken": 409,
    "recovery-only": 403,
    "not-recovery": 403,
    "recovery-stays": 409,
    "not-a-key": 409,
    "last-key": 409,
    "too-many-keys": 409,
    "stale-head": 409,
    "unknown-head": 409,
    "wrong-form": 422,
    "unsigned-move": 403,
    "not-due": 409,
    "not-active": 403,
    "no-clock": 409,
    "seat-gone": 409,
    "nothing-owed": 409,
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
    **{code: re.split("[:;]", title)[0].rstrip(".") + "." for code, title in REFUSALS.items()},
    **SAYS,
    "unknown-game": "There is no such type of game.",
    "unknown-level": "No player of this game has that level.",
    "game-out": "The rules of this game cannot be loaded here for now; all other games go on.",
    "bad-seats": "The game is not played by that many.",
}


def status_of(error: SealedMoveError) -> int:
    """The HTTP status of an error. Bytes that cannot be read are 400, what a rule refuses is 422."""
    if error.code in SERVER:
        return SERVER[error.code][0]
    if isinstance(error, EngineFault):
        return 500
    if isinstance(error, BadRecord) and error.code not in ENGINE:
        return 422 if error.code in UNPROCESSABLE else 400
    return ENGINE.get(error.code, 422)


# Well-formed, but not what is due: the reader of the record found it out.
UNPROCESSABLE = frozenset({"bad-options", "bad-edition", "wrong-seal", "bad-commands", "bad-clock"})


def public_code(error: SealedMoveError) -> str:
    """The code that is shown: of our own faults only that they are ours."""
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
    if code in SERVER:
        return SERVER[code][1]
    if isinstance(error, BadRecord):
        return "What was sent is not what is due here." if status_of(error) == 422 else "What was sent cannot be read."
    template = TITLES.get(code)
    if template is None:
        return code.replace("-", " ").capitalize() + "."
    try:
        return template.format_map(as_people_count(error.facts))
    except KeyError:
        return template.partition("{")[0].rstrip(": '") or code


def _facts(error: SealedMoveError) -> dict[str, Any]:
    """Facts under `facts`, but for those that have a place of their own."""
    own = {name: error.facts[name] for name in ("entries", "unchanged", "errors") if name in error.facts}
    rest = {name: value for name, value in error.facts.items() if name not in own}
    if isinstance(error, Refused) and error.about:
        rest |= {"command": error.about.number, "notation": format_command(error.about.command)}
        rest |= {"forced": [format_command(command) for command in error.about.forced]} if error.about.forced else {}
    return own | ({"facts": rest} if rest else {})
