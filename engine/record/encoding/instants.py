"""The times of the record: UTC in whole seconds, `2026-11-21T10:00:00Z`. As texts they sort as they follow each other.

The engine has no clock; this is arithmetic on what the log says.
"""

from __future__ import annotations

import re
from functools import lru_cache

from engine.errors import BadRecord

_pattern = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)


@lru_cache(maxsize=64)
def seconds(at: str) -> int:
    """Seconds since 1970-01-01T00:00:00Z, leap seconds not counted; BadRecord for a text that `instant` never makes."""
    found = _pattern.fullmatch(at)
    if not found:
        raise BadRecord("bad-time", "times are written like 2026-11-21T10:00:00Z")
    midnight, hour, minute, second = _midnight(found[1]), int(found[2]), int(found[3]), int(found[4])
    if midnight is None or hour > 23 or minute > 59 or second > 59:
        raise BadRecord("bad-time", f"{at} is no time of the calendar")
    return midnight + hour * 3600 + minute * 60 + second


@lru_cache(maxsize=64)
def _midnight(date: str) -> int | None:
    """The first second of a date like 2026-11-21; None if the calendar has no such date."""
    year, month, day = map(int, date.split("-"))
    if not (year >= 1970 and 1 <= month <= 12):
        return None
    first, after = _days(year, month, 1), _days(year + month // 12, month % 12 + 1, 1)
    return (first + day - 1) * 86400 if 1 <= day <= after - first else None


def instant(seconds: int) -> str:
    """The text of a number of seconds since 1970, up to the year 9999."""
    days, rest = divmod(seconds, 86400)
    year = 1970 + (days - 366) * 400 // 146097  # at most two years early: a log may name any number of seconds
    while _days(year + 1, 1, 1) <= days:
        year += 1
    month = 1
    while month < 12 and _days(year, month + 1, 1) <= days:
        month += 1
    day = days - _days(year, month, 1) + 1
    return f"{year:04}-{month:02}-{day:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01, counting years from March, so that the leap day comes last."""
    shifted = year - (month < 3)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return shifted * 365 + shifted // 4 - shifted // 100 + shifted // 400 + of_year - 719468
