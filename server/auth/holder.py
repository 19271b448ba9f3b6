"""Who is asking, whatever it was shown by: an API token or a browser's session."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holder:
    """An account, what it may do with what was shown, and what that was: `t7` is token 7, `s7` session 7.

    `is_bot` says that a person answers for it, `is_house` that the operator does. `zone` is the time zone in which
    pages tell a browser's reader their times.
    """

    account_id: int
    name: str
    shown: str
    scopes: frozenset[str]
    is_bot: bool = False
    is_house: bool = False
    zone: str | None = None
