"""Where the `type` of a problem points: what it means, what is expected, and what to do, for people and search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Response

from engine import registry
from engine.kit import unfilled
from engine.record.laws.preconditions import LAWS
from server.advice import ADVICE, OF_RULES, UNREAD
from server.api.schemas.problem import UNREADABLE
from server.errors import ENGINE, SERVER, TITLES, UNPROCESSABLE, Problem
from server.web.house import blueprint, page

LAW_OF = {law.code: law.law for law in LAWS}


@blueprint.get("/problems/<code>")
def problem_type_page(code: str) -> Response:
    """404 for what is no code."""
    means = list(meanings(code))
    if not means:
        raise Problem("not-found")
    return page("problem.html", code=code, means=means, law=LAW_OF.get(code))


def meanings(code: str) -> Iterator[dict[str, Any]]:
    """Each status that a code can have, with its sentence and what to do; games may use one for their own rules."""
    if code in SERVER:
        yield _meaning(*SERVER[code], ADVICE[code])
    if code in ENGINE:
        yield _meaning(ENGINE[code], TITLES[code], ADVICE[code])
    if code in UNREADABLE:
        yield _meaning(422 if code in UNPROCESSABLE else 400, "What was signed or sent cannot be read.", UNREAD)
    if code not in ENGINE:
        for game in registry.games().values():
            if code in game.refusals:
                yield _meaning(422, unfilled(game.refusals[code]), OF_RULES, game.meta.title)


def _meaning(status: int, title: str, advice: str, of: str | None = None) -> dict[str, Any]:
    return {"status": status, "title": title, "do": advice, "of": of, "in_facts": "{" in title}
