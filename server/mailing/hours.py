"""Hours of a day in a time zone, as the moments that they are (pure).

An hour of a day is the first moment of that day at which its clock shows it or a later one: so a day that skips the
hour has it when it skips, a day that has it twice the first time, and every day has it once.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def zone_of(name: str | None) -> ZoneInfo:
    """By its name; UTC if none was chosen, or the list of zones has lost it."""
    try:
        return ZoneInfo(name or "UTC")
    except ZoneInfoNotFoundError:
        return ZoneInfo("UTC")


def at(hour: str, day: date, zone: ZoneInfo) -> datetime:
    """The moment, in UTC, of `HH:MM` on that day of the zone."""
    shown = datetime.combine(day, time.fromisoformat(hour))
    early, late = (shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (1, 0))
    if early >= late:  # the usual day; or the hour comes twice, and `late` is the first of them
        return late
    while late - early > SECOND:  # the hour is skipped: between the two the clock is put forward
        middle = early + (late - early) // 2
        early, late = (early, middle) if _shows(middle, zone) >= shown else (middle, late)
    return late.replace(microsecond=0)


def _shows(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def following(hour: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The first moment of that hour that is now or later."""
    today = now.astimezone(zone).date()
    moments = (at(hour, today + DAY * count, zone) for count in range(-1, 3))
    return next(moment for moment in moments if moment >= now)


def end_of(since: str, until: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """When the hours from `since` until `until` end in which `now` lies; None if it lies in none.

    What lies between the end of one day's and the beginning of the next may be what a day skips: then they are one.
    """
    today, found = now.astimezone(zone).date(), None
    for day in (today + DAY * count for count in range(-2, 2)):
        begins, ends = at(since, day, zone), at(until, day + DAY * (until <= since), zone)
        if begins <= (found or now) < ends:
            found = ends
    return found
