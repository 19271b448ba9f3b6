"""What a person may choose about mail: for the account, and for one table what is to be otherwise there (pure).

Mail about the account itself, and word that a seat was opened or taken, is no choice: whoever got in with a stolen
key would switch it off first.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Mode = Literal["on", "digest", "off"]
Remind = Literal["usual", "hours"]
MODES: tuple[Mode, ...] = ("on", "digest", "off")
REMINDS: tuple[Remind, ...] = ("usual", "hours")

KINDS = ("turn", "reminder", "started", "over", "absent")
# Of each notification that can be switched off, the kind by which it is.
KIND_OF = {kind: kind for kind in KINDS} | {"cancelled": "over"}
ALWAYS = ("login", "confirm", "waiting", "paused", "offered", "taken", "answer", "unproven")

QUESTIONS = ("turn", "reminder")
ASKED_AGAIN = (*QUESTIONS, "digest")  # after days without a mail server, as long as they are true; news is old by then

LONGEST_DELAY = 1440  # minutes
MOST_HOURS, EARLIEST_HOUR = 5, 336


class Choices(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is in force. Hours of the day are `HH:MM` where the account keeps its hours; `delay` is in minutes.

    `remind` says whether reminders come at the `usual` time, or so many `hours` before the deadline.
    """

    turn: Mode = "on"
    reminder: Mode = "on"
    started: Mode = "on"
    over: Mode = "on"
    absent: Mode = "on"
    delay: int = 0
    remind: Remind = "usual"
    hours: tuple[int, ...] = (24, 3)
    picture: bool = True
    on_site: bool = True
    digest_hour: str = "08:00"
    quiet_from: str | None = None
    quiet_until: str | None = None

    def mode(self, kind: str) -> Mode:
        """Of a notification's kind."""
        found: Mode = getattr(self, KIND_OF[kind])
        return found


class Exceptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is to be otherwise at one table; null is as everywhere else."""

    turn: Mode | None = None
    reminder: Mode | None = None
    started: Mode | None = None
    over: Mode | None = None
    absent: Mode | None = None
    delay: int | None = None
    remind: Remind | None = None
    hours: tuple[int, ...] | None = None
    picture: bool | None = None
    on_site: bool | None = None

    @property
    def is_empty(self) -> bool:
        return self == Exceptions()


def at_table(choices: Choices, exceptions: Exceptions | None) -> Choices:
    """What is in force there."""
    if exceptions is None:
        return choices
    return msgspec.structs.replace(choices, **_given(exceptions))


def _given(exceptions: Exceptions) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(exceptions).items() if value is not None}
