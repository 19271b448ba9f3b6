"""The errors that an operation may answer, by status, with an example of each code.

The statuses of an operation follow from its properties: whether it needs a token, has a body, or has a game in its
path. Any others are declared with `refuses(409, 410)` of `server/http/resource.py`. Tests of the server check every
answer against them.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import Formatter
from typing import Any

from engine import registry
from engine.errors import Refused, as_people_count
from engine.game import Game
from engine.kit import explain, unfilled
from engine.kit.notation import names_seat
from engine.kit.play import REFUSALS
from server.http.problems import PROBLEM
from server.http.schemas import UNREADABLE
from server.kernel.errors import ENGINE, SERVER, TITLES, UNPROCESSABLE

Json = dict[str, Any]
RAISED = "x-refuses"  # more statuses of an operation
RULES = "x-rules"  # its body contains commands, so a game's rules may refuse it
NAMES = {
    400: ("BadRequest", "The request cannot be read."),
    401: ("Unauthorized", "A token is missing, or a signature is not valid."),
    403: ("Forbidden", "The caller may not do this."),
    404: ("NotFound", "Not found."),
    409: ("Conflict", "Not possible in the current state."),
    410: ("Gone", "It has ended, expired or been used."),
    412: ("PreconditionFailed", "It has changed since the caller read it."),
    413: ("TooLarge", "The request is too large."),
    415: ("NotJson", "The request body must be `application/json`."),
    421: ("WrongHost", "The server does not answer to that host name."),
    422: ("Unprocessable", "Well-formed, but not valid here."),
    428: ("PreconditionRequired", "A precondition header is missing."),
    429: ("TooManyRequests", "Too many requests. Retry after the delay in `Retry-After`."),
    500: ("Fault", "A fault of the server. The operator has been notified."),
    503: ("Unavailable", "Temporarily unavailable. Retry after the delay in `Retry-After`."),
}
BY_RULES = ("RefusedByRules", "Not valid here, or refused by the rules of the game.")
SOME_KID = "fFEzEIU09w65qyHJ04kl2keTc3ofvykyLz0wPkUg0dA"
FACTS: Json = {"kid": SOME_KID, "most": 16, "seat": 0, "handover": "none", "free_from": "2026-11-24T10:00:00Z"}
FACTS_OF: dict[str, Json] = {
    "ambiguous": {"found": "res"},
    "bad-notation": {"says": "'entre' does not start a command; the nearest word is enter"},
    "nothing-lost": {"size": 12, "found": 9},
    "too-many": {"limit": "hooks", "says": "Webhooks", "most": 8},
    "too-many-grants": {"most": 64},
    "too-many-joins": {"most": 256},
    "too-many-takes": {"most": 8},
    "too-much-granted": {"given": 1209600, "most": 1209600},
    "wrong-audience": {"found": "other.example", "expected": "games.example"},
}


def statuses(path: str, method: str, operation: Json) -> set[int]:
    """The error statuses of an operation; always 422 for unknown query parameters."""
    found = {421, 422, 429, 500, 503, *operation.pop(RAISED, ())}
    found |= {404} if "{" in path else set()
    found |= {401, 403} if any(operation["security"]) else set()
    found |= {413, 415} if method in ("post", "patch", "put") else set()
    return found | ({400} if "requestBody" in operation else set())


def put(path: str, method: str, operation: Json) -> None:
    """Replace flask-smorest's own error responses."""
    answers = operation["responses"]
    for status in [status for status in answers if status == "default" or int(status) >= 400]:
        del answers[status]
    by_rules = operation.pop(RULES, False)
    for status in sorted(statuses(path, method, operation)):
        name = BY_RULES[0] if status == 422 and by_rules else NAMES[status][0]
        answers[str(status)] = {"$ref": f"#/components/responses/{name}"}


def responses() -> dict[str, Json]:
    """The responses that `put` refers to."""
    by_status: dict[int, dict[str, Json]] = {status: {} for status in NAMES}
    for code, status in sorted(_statuses_of_codes()):
        by_status[status][code] = {"summary": TITLES.get(code, code), "value": example(code, status)}
    made = {name: _response(says, by_status[status]) for status, (name, says) in NAMES.items()}
    return made | {BY_RULES[0]: _response(BY_RULES[1], by_status[422] | dict(_of_rules()))}


def _statuses_of_codes() -> Iterable[tuple[str, int]]:
    yield from ((code, status) for code, (status, _) in SERVER.items() if status in NAMES)
    yield from ((code, status) for code, status in ENGINE.items() if code not in SERVER)
    yield from ((code, 422 if code in UNPROCESSABLE else 400) for code in UNREADABLE if code not in SERVER)


def codes() -> list[str]:
    """All codes that a problem of an operation may have, including those of the games' rules."""
    of_games = {code for game in registry.games().values() for code in game.refusals}
    return sorted({*(code for code, _ in _statuses_of_codes()), *REFUSALS, *of_games})


def _response(says: str, examples: dict[str, Json]) -> Json:
    media = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}
    return {"description": says, "content": {PROBLEM: media}}


def example(code: str, status: int) -> Json:
    """An example of a problem."""
    known = {"type": f"/problems/{code}", "status": status, "code": code}
    title = SERVER[code][1] if code in SERVER else TITLES.get(code)
    if title is None:
        sure = "The request is not valid for this game." if status == 422 else "The request cannot be parsed."
        return known | {"title": sure, "detail": UNREADABLE[code]}
    facts = {name: (FACTS | FACTS_OF.get(code, {}))[name] for name in _fields(title)}
    return known | {"title": title.format_map(as_people_count(facts))} | ({"facts": facts} if facts else {})


def _of_rules() -> Iterable[tuple[str, Json]]:
    """For each code of a game's rules, the first game that has it."""
    for key, game in registry.games().items():
        for code, title in {**REFUSALS, **game.refusals}.items():
            facts = {name: _fact(name, how) for name, how in _fields(title).items()}
            value = {"type": f"/problems/{code}", "title": _sentence(game, code, facts), "status": 422, "code": code}
            yield code, {"summary": f"{key}: {unfilled(title)}", "value": value | ({"facts": facts} if facts else {})}


def _sentence(game: Game[Any], code: str, facts: Json) -> str:
    return explain(game, Refused(code, **facts))


def _fields(template: str) -> dict[str, str]:
    return {name: how or "" for _, name, how, _ in Formatter().parse(template) if name}


def _fact(name: str, how: str) -> Any:
    """A number where the sentence counts, a seat where it names one, otherwise a placeholder word."""
    if how.startswith(("-", "&", "*")):
        return name.upper()
    if names_seat(name) or how or name in ("most", "need", "have", "count"):
        return 1
    return name.upper()
