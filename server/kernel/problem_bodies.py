"""An error as the body of a problem (RFC 9457): its status, its code, its sentence, its facts."""

from __future__ import annotations

from typing import Any

from engine.errors import BadRecord, EngineFault, Refused, SealedMoveError, Uncertain, as_people_count
from engine.kit import format_command
from server.kernel.errors import ENGINE, SERVER, TITLES, UNPROCESSABLE, Problem


def status_of(error: SealedMoveError) -> int:
    """The HTTP status of an error: 400 for bytes that cannot be read, 422 for what a rule refuses."""
    if error.code in SERVER:
        return SERVER[error.code][0]
    if isinstance(error, EngineFault):
        return 500
    if isinstance(error, BadRecord) and error.code not in ENGINE:
        return 422 if error.code in UNPROCESSABLE else 400
    return ENGINE.get(error.code, 422)


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
