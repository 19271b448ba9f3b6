"""The times of the record: UTC in whole seconds, `2026-11-21T10:00:00Z`. As texts they sort as they follow each other.

The engine has no clock; this is arithmetic on what the log says.
"""

from __future__ import annotations

import re

from engine.errors import BadRecord

_pattern = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)


def seconds(at: str) -> int:
    """Seconds since 1970-01-01T00:00:00Z, leap seconds not counted; BadRecord for a text that `instant` never makes."""
    found = _pattern.fullmatch(at)
    if not found:
        raise BadRecord("bad-time", "times are written like 2026-11-21T10:00:00Z")
    year, month, day, hour, minute, second = map(int, found.groups())
    if not (year >= 1970 and 1 <= month <= 12 and hour < 24 and minute < 60 and second < 60):
        raise BadRecord("bad-time", f"{at} is no time of the calendar")
    first, after = _days(year, month, 1), _days(year + month // 12, month % 12 + 1, 1)
    if not 1 <= day <= after - first:
        raise BadRecord("bad-time", f"{at} is no time of the calendar")
    return (first + day - 1) * 86400 + hour * 3600 + minute * 60 + second


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
