"""When people come to their tables: eight habits in twelve time zones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

# Half an hour of daylight saving, none, both hemispheres, offsets of 30 and 45 minutes, both ends of the day.
ZONES = (
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "Asia/Tehran",
    "America/New_York",
    "Asia/Kolkata",
    "America/Sao_Paulo",
    "Pacific/Auckland",
    "Asia/Kathmandu",
    "Pacific/Honolulu",
    "Africa/Casablanca",
    "America/St_Johns",
    "Pacific/Kiritimati",
)
ALL, WORK, REST = range(7), range(5), (2, 5, 6)
DAY = timedelta(days=1)


class Habit(NamedTuple):
    """On these days of the week and hours of their own zone somebody comes, each with this chance.

    `away`: days of a journey, of which one begins every `EVERY` days; a `planned` one is announced as a holiday.
    `reminded`: they also come some hours after a reminder. `leaves`: one day they never come again.
    """

    name: str
    days: tuple[int, ...]
    hours: tuple[int, ...]
    chance: float
    away: int = 0
    planned: bool = False
    reminded: bool = False
    leaves: bool = False


EVERY = 70
HABITS = (
    Habit("prompt", (*ALL,), (8, 12, 17, 21), 0.8),
    Habit("evenings", (*ALL,), (20,), 0.9),
    Habit("at work", (*WORK,), (9, 13, 16), 0.8),
    Habit("weekends", REST, (10, 19), 0.9),
    Habit("holidays", (*ALL,), (20,), 0.9, away=9, planned=True),
    Habit("journeys", (*ALL,), (20,), 0.9, away=5),
    Habit("reminded", (*ALL,), (19,), 0.3, reminded=True),
    Habit("leaves", (*ALL,), (9, 19), 0.8, leaves=True),
)


class Journey(NamedTuple):
    """Whole days of a person's zone on which they do not come; the first and the day after the last."""

    first: datetime
    back: datetime


def journeys(habit: Habit, zone: str, begins: datetime, days: int, dice: random.Random) -> list[Journey]:
    """The journeys of a year that begins then, from midnight to midnight."""
    found, day = [], dice.randrange(10, EVERY)
    while habit.away and day < days:
        first = (begins.astimezone(ZoneInfo(zone)) + day * DAY).replace(hour=0, minute=0, second=0)
        found.append(Journey(first, first + habit.away * DAY))
        day += EVERY
    return found


def sittings(habit: Habit, zone: str, begins: datetime, days: int, dice: random.Random) -> Iterator[datetime]:
    """The moments at which somebody with this habit comes, journeys apart."""
    last = dice.randrange(days // 4, days) if habit.leaves else days
    for number in range(last):
        today = begins.astimezone(ZoneInfo(zone)) + number * DAY
        for hour in habit.hours if today.weekday() in habit.days else ():
            if dice.random() < habit.chance:
                yield today.replace(hour=hour, minute=dice.randrange(60), second=dice.randrange(60))
