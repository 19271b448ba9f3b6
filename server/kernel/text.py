"""Times, spans, names, clocks and seats in words, for pages and mails alike (pure)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def moment(at: datetime, zone: tzinfo = UTC) -> str:
    """A time as its reader can place it: `Monday 23 November 2026, 10:00 UTC`, `11:00 CET`, `15:30 UTC+5:30`."""
    local = at.astimezone(zone)
    return f"{local:%A} {local.day} {local:%B %Y}, {local:%H:%M} {_zone(local)}"


def _zone(local: datetime) -> str:
    """By its letters; some zones have none."""
    name = local.tzname() or ""
    if name.isalpha():
        return name
    minutes = round((local.utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def span(length: timedelta) -> str:
    """A span in its two largest units: `2 days 3 hours`, `45 minutes`, `less than a minute`."""
    left = max(0, int(length.total_seconds()))
    parts: list[str] = []
    for unit, seconds in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count, left = divmod(left, seconds)
        if count or parts:
            parts.append(f"{count} {unit}{'' if count == 1 else 's'}" if count else "")
    return " ".join(part for part in parts[:2] if part) or "less than a minute"


def people(names: Sequence[str]) -> str:
    """`Ada`, `Ada and Ben`, `Ada, Ben and Cy`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def clock(numbers: Mapping[str, int] | None) -> str:
    """A game's clock: `3 days for each turn, beside it a bank of 1 hour, then 12 hours of grace`."""
    if numbers is None:
        return "no clock"
    move, more = seconds(numbers["move"]), seconds(numbers["increment"])
    bank = f"a bank of {seconds(numbers['bank'])}" if numbers["bank"] else "an empty bank"
    parts = [f"{move} for each turn"] * bool(numbers["move"])
    if numbers["bank"] or numbers["cap"]:
        grows = f" ({more} more for each turn, up to {seconds(numbers['cap'])})" if numbers["increment"] else ""
        parts.append(f"{'beside it ' * bool(parts)}{bank}{grows}")
    return ", ".join([*parts, f"then {seconds(numbers['grace'])} of grace"])


def seconds(count: int) -> str:
    """A span given in seconds: `30 seconds`, `1 minute`."""
    return span(timedelta(seconds=count)) if count >= 60 else f"{count} second{'' if count == 1 else 's'}"


def handover(how: str) -> str:
    """When a seat of a running game may change hands."""
    return {
        "none": "Whoever sits down stays.",
        "offer": "Who sits here may open the seat, and then anybody may take it.",
        "absent": "The seat of somebody who is absent may be taken by anybody.",
        "both": "Who sits here may open the seat, and then anybody may take it; so too if somebody is absent.",
    }[how]


def offer_wait(wait: int) -> str:
    """How long an offered seat waits, in seconds; `` if not at all."""
    return f"An offered seat waits {seconds(wait)} before anyone may take it." if wait else ""


def absence(missed: int) -> str:
    """When somebody counts as absent; `` if never."""
    turns = "a whole turn" if missed == 1 else f"{missed} whole turns in a row"
    return f"Who lets the clock play {turns} counts as absent, and it waits for the grace alone." if missed else ""


UNSIGNED = (
    "An answer by mail is a move at this table. It bears no signature: whoever has a player's mailbox can move for "
    "him, and only this server's word says who it was."
)


def unsigned(players: Sequence[str], counts: Sequence[int]) -> str:
    """Who made moves that no signature shows to be his; "" if nobody did."""
    made = [f"{player} {count}" for player, count in zip(players, counts, strict=False) if count]
    says = "Moves without a signature of their player, which this server alone attests: "
    return f"{says}{', '.join(made)}." if made else ""


def standing(*, gone: bool, absent: bool, is_open: bool) -> str:
    """What is to be said of a seat beside its name; `` if nothing."""
    return "resigned" if gone else " and ".join(["absent"] * absent + ["open"] * is_open)


def free(number: int, *, is_open: bool) -> str:
    """A sentence on a seat that may be taken over; people count seats from 1."""
    if is_open:
        return f"Seat {number} is open: anybody may take it."
    return f"Who sits at seat {number} is absent: anybody may take the seat."


def badged(name: str, *, bot: bool) -> str:
    """A name as it stands wherever people read it: a machine's says that it is one."""
    return f"{clean(name)} (bot)" if bot else clean(name)


def clean(name: str) -> str:
    """A name as one printable line: nothing in it turns the text around it."""
    printable = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name)
    return " ".join(printable.split())


# What looks like a Latin letter in most type faces; letters are compared small.
LOOKALIKES = str.maketrans("аеорсухкмнтвіјѕԁԛԝαορνυικτ01i|5", "aeopcyxkmhtbijsdqwaopvuiktolll" + "s")
SEATED = re.compile(r"\((?:bot|seat \d+)\)")


def distinct_names(names: Sequence[str | None]) -> list[str | None]:
    """The names at a table, those that look alike with their seat: `Ada (seat 1)`, `Аdа (seat 3)`."""
    looks = Counter(_skeleton(name) for name in names if name)
    return [
        f"{name} (seat {seat})" if name and looks[_skeleton(name)] > 1 else name
        for seat, name in enumerate(names, start=1)
    ]


def _skeleton(name: str) -> str:
    plain = unicodedata.normalize("NFKD", SEATED.sub("", name.casefold())).translate(LOOKALIKES)
    return "".join(char for char in plain if char.isalnum()).translate(LOOKALIKES) or name


def iso(moment: datetime) -> str:
    """As the API writes a time: UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# --- Hours of a day in a time zone, as the moments that they are (pure) -----------------------------------------------
# An hour of a day is the first moment of that day at which its clock shows it or a later one: so a day that skips the
# hour has it when it skips, a day that has it twice the first time, and every day has it once.


DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def zone_of(name: str | None) -> ZoneInfo:
    """By its name; UTC if none was chosen, or the list of zones has lost it."""
    try:
        return ZoneInfo(name or "UTC")
    except ZoneInfoNotFoundError:
        return ZoneInfo("UTC")


def at_hour(hour: str, day: date, zone: ZoneInfo) -> datetime:
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


def following_hour(hour: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The first moment of that hour that is now or later."""
    today = now.astimezone(zone).date()
    moments = (at_hour(hour, today + DAY * count, zone) for count in range(-1, 3))
    return next(moment for moment in moments if moment >= now)


def end_of_quiet(since: str, until: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """When the hours from `since` until `until` end in which `now` lies; None if it lies in none.

    What lies between the end of one day's and the beginning of the next may be what a day skips: then they are one.
    """
    today, found = now.astimezone(zone).date(), None
    for day in (today + DAY * count for count in range(-2, 2)):
        begins, ends = at_hour(since, day, zone), at_hour(until, day + DAY * (until <= since), zone)
        if begins <= (found or now) < ends:
            found = ends
    return found
