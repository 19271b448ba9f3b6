"""Times, spans, names, clocks and seats in words, for pages and mails alike (pure)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from engine.kit import count


def moment(at: datetime, zone: tzinfo = UTC) -> str:
    """A time as its reader can place it: `Monday 23 November 2026, 10:00 UTC`, `11:00 CET`, `15:30 UTC+5:30`."""
    local = at.astimezone(zone)
    return f"{local:%A} {local.day} {local:%B %Y}, {local:%H:%M} {_zone(local)}"


def _zone(local: datetime) -> str:
    """By its abbreviation; some zones have none."""
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
        number, left = divmod(left, seconds)
        if number or parts:
            parts.append(count(number, unit) if number else "")
    return " ".join(part for part in parts[:2] if part) or "less than a minute"


def people(names: Sequence[str]) -> str:
    """`Ada`, `Ada and Ben`, `Ada, Ben and Cy`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def clock(numbers: Mapping[str, int] | None) -> str:
    """A game's clock: `3 days for each turn, a time bank of 1 hour for the whole game, a grace period of 12 hours`."""
    if numbers is None:
        return "no clock"
    told = {name: seconds(numbers[name]) for name in ("move", "bank", "increment", "cap", "grace")}
    parts = ["{move} for each turn"] * bool(numbers["move"])
    if numbers["increment"]:
        parts.append("a time bank of {bank} that gains {increment} for each turn, up to {cap}")
    elif numbers["bank"]:
        parts.append("a time bank of {bank} for the whole game")
    return ", ".join([*parts, "a grace period of {grace}"]).format(**told)


CLOCK = (
    "When the time for a turn is used up, your time bank runs (one for the whole game), then a grace period. After "
    "that the server plays a default move for you."
)
CLOCK_WITHOUT_BANK = (
    "When the time for a turn is used up, a grace period runs. After that the server plays a default move for you."
)


def clock_course(clock: Mapping[str, int] | None) -> str:
    """The course of this table's clock when a turn takes too long; `` without a clock."""
    if not clock:
        return ""
    return CLOCK if clock["bank"] or clock["increment"] else CLOCK_WITHOUT_BANK


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_NAMES = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
REASONS = {"weekend": "rest days", "holiday": "a holiday", "pause": "a pause", "outage": "an outage of the server"}
HOLIDAYS = {
    "yes": "No clock runs for players on holiday.",
    "ahead": "No clock runs for players on holiday who announced it 48 hours ahead.",
    "no": "",
}


def rest_days(days: int) -> list[str]:
    """The days of a mask, whose bit 0 is Monday: `["sat", "sun"]`."""
    return [name for number, name in enumerate(WEEKDAYS) if days >> number & 1]


def rests(days: int, zone: str | None, holidays: str, pause: int) -> str:
    """When no clock of a table runs; `` if always."""
    named = people([DAY_NAMES[WEEKDAYS.index(day)] for day in rest_days(days)])
    said = [f"No clock runs on {named} ({zone})."] * bool(named) + [HOLIDAYS[holidays]]
    said += [f"The host may pause the game for up to {count(pause, 'day')}."] * bool(pause)
    return " ".join(filter(None, said))


def asks(games: int, clock: int) -> str:
    """`For players with at least 3 finished games and 90% of their turns in time`; `` if it asks nothing."""
    both = [count(games, "finished game")] * bool(games) + [f"{clock}% of their turns in time"] * bool(clock)
    return f"For players with at least {people(both)}" if both else ""


def extended(why: Sequence[str]) -> str:
    """Why a deadline is later than by the clock alone: `extended by rest days and a pause`; `` if it is not."""
    return f"extended by {people([REASONS[one] for one in why])}" if why else ""


def seconds(number: int) -> str:
    """A span given in seconds: `30 seconds`, `1 minute`."""
    return span(timedelta(seconds=number)) if number >= 60 else count(number, "second")


def handover(how: str) -> str:
    """When a seat of a running game may change hands."""
    return {
        "none": "Seats do not change hands in this game.",
        "offer": "Players may offer their seat to someone else.",
        "absent": "Anyone may take the seat of a player who is absent.",
        "both": "Players may offer their seat to someone else. Anyone may take the seat of a player who is absent.",
    }[how]


def offer_wait(wait: int) -> str:
    """How long an offered seat waits, in seconds; `` if not at all."""
    return f"An offered seat waits {seconds(wait)} before anyone may take it." if wait else ""


def absence(missed: int) -> str:
    """When a player counts as absent; `` if never."""
    if not missed:
        return ""
    turns = "one missed turn" if missed == 1 else f"{missed} missed turns in a row"
    return f"After {turns} a player counts as absent: the table then waits only for the grace period."


UNSIGNED = (
    "This table accepts moves by email. They are not signed: anyone who can read a player's emails can move "
    "for that player, and only this server vouches for the sender."
)


def unsigned(players: Iterable[str]) -> str:
    """How many unsigned moves each player made; "" if there are none. `players` has one name for each move."""
    made = [f"{player} {made}" for player, made in sorted(Counter(players).items())]
    return f"Unsigned moves, for which only this server vouches: {', '.join(made)}." if made else ""


def seat_marks(*, gone: bool, absent: bool, is_open: bool) -> str:
    """The words beside the name of a seat; "" if there are none."""
    return "resigned" if gone else ", ".join(["absent"] * absent + ["seat offered"] * is_open)


def free(number: int, *, is_open: bool) -> str:
    """A sentence on a seat that may be taken over; people count seats from 1."""
    if is_open:
        return f"Seat {number} is offered: anyone may take it."
    return f"The player at seat {number} is absent: anyone may take the seat."


def badged(name: str, *, bot: bool) -> str:
    """A name as people read it everywhere, with a badge if the account is a bot's."""
    return f"{clean(name)} (bot)" if bot else clean(name)


def clean(name: str) -> str:
    """A name as one printable line, without characters that would change the text around it."""
    printable = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name)
    return " ".join(printable.split())


JOINERS = "\u200c\u200d"  # needed within words of Persian and within emoji


def spoken(words: str) -> str:
    """What a person wrote, in lines: without characters that control the text around it, or several empty lines."""
    lines = (_spoken_line(line) for line in words.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _spoken_line(line: str) -> str:
    kept = (char if char in JOINERS or unicodedata.category(char)[0] != "C" else " " * (char == "\t") for char in line)
    return "".join(kept).strip()


# Characters that look like a Latin letter in most typefaces; letters are compared in lower case.
LOOKALIKES = str.maketrans("аеорсухкмнтвіјѕԁԛԝαορνυικτ01i|5", "aeopcyxkmhtbijsdqwaopvuiktolll" + "s")
SEATED = re.compile(r"\((?:bot|seat \d+)\)")


def distinct_names(names: Sequence[str | None]) -> list[str | None]:
    """The names at a table. Names that look alike get their seat: `Ada (seat 1)`, `Аdа (seat 3)`."""
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
# An hour of a day is the first moment of that day at which its clock shows that hour or a later one. So every day has
# each hour exactly once: a day that skips the hour has it at the skip, a day that repeats it has it the first time.


DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def zone_of(name: str | None) -> ZoneInfo:
    """The zone with that name; UTC if none was chosen or the list of zones no longer has it."""
    try:
        return ZoneInfo(name or "UTC")
    except ZoneInfoNotFoundError:
        return ZoneInfo("UTC")


@cache
def zones() -> frozenset[str]:
    """The names of the IANA list; cached, since reading all of it takes a while."""
    return frozenset(available_timezones())


def at_hour(hour: str, day: date, zone: ZoneInfo) -> datetime:
    """The moment, in UTC, of `HH:MM` on that day of the zone."""
    shown = datetime.combine(day, time.fromisoformat(hour))
    early, late = (shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (1, 0))
    if early >= late:  # a usual day, or the hour comes twice and `late` is the first of the two
        return late
    while late - early > SECOND:  # the hour is skipped: the clock is put forward between the two
        middle = early + (late - early) // 2
        early, late = (early, middle) if _shows(middle, zone) >= shown else (middle, late)
    return late.replace(microsecond=0)


def _shows(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def following_hour(hour: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The next time that it is that hour; now counts."""
    today = now.astimezone(zone).date()
    moments = (at_hour(hour, today + DAY * days, zone) for days in range(-1, 3))
    return next(moment for moment in moments if moment >= now)


def end_of_quiet(since: str, until: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """The end of the quiet hours that `now` is in; None if it is not in quiet hours.

    If the time between the quiet hours of two days is skipped by a change of clocks, the two are one.
    """
    today, found = now.astimezone(zone).date(), None
    for day in (today + DAY * days for days in range(-2, 2)):
        begins, ends = at_hour(since, day, zone), at_hour(until, day + DAY * (until <= since), zone)
        if begins <= (found or now) < ends:
            found = ends
    return found


# --- Which addresses count as one when mail is limited (pure) ---------------------------------------------------------
# many providers put `a.b+x@` and `ab@` into one mailbox.
#
# It has no other use: accounts keep their addresses as written, and two people may share one of these.


def box_of(email: str) -> str:
    """The address in lower case, without what follows a plus, and without dots before the `@`."""
    local, _, domain = email.strip().lower().rpartition("@")
    plain = local.partition("+")[0].replace(".", "")
    return f"{plain or local}@{domain}"
