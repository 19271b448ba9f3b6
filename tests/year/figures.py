"""The figures of a simulated year, and the page that shows them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from statistics import mean, median
from typing import NamedTuple

HOUR = timedelta(hours=1)


class Stretch(NamedTuple):
    """A turn that has ended. `late`: after the record's deadline; `absent`: of a player who had missed turns before."""

    account: int
    game: str
    took: timedelta
    by_clock: bool
    late: bool
    absent: bool
    why: frozenset[str]


class Figures:
    """What is counted."""

    def __init__(self) -> None:
        self.habits: dict[int, str] = {}
        self.clocks: dict[str, str] = {}
        self.stretches: list[Stretch] = []
        self.stands: dict[str, timedelta] = defaultdict(timedelta)
        self.takes: list[timedelta] = []
        self.mails: Counter[str] = Counter()
        self.counted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.people = 0
        self.days = 0

    def ended(self, one: Stretch) -> None:
        self.stretches.append(one)

    def stand(self, length: timedelta, game: str) -> None:
        name = self.clocks.get(game, "")
        self.stands[name] = max(self.stands[name], length)

    @classmethod
    def of_all(cls, several: Sequence[Figures]) -> Figures:
        """The figures of several servers together. A habit has the same accounts on each."""
        whole = cls()
        for one in several:
            whole.habits |= one.habits
            whole.stretches += one.stretches
            whole.takes += one.takes
            for name, length in one.stands.items():
                whole.stands[name] = max(whole.stands[name], length)
            for name in ("mails", "counted", "refused"):
                getattr(whole, name).update(getattr(one, name))
            whole.people, whole.days = whole.people + one.people, one.days
        return whole

    @property
    def idle(self) -> list[str]:
        """The habits of which nobody has ended a turn."""
        busy = {one.account for one in self.stretches}
        return [habit for account, habit in self.habits.items() if account not in busy]

    def lines(self) -> Iterator[str]:
        """As lines of Markdown."""
        turns = [one for one in self.stretches if one.account in self.habits]
        yield f"{self.days} days, {self.people} people, {len(turns):,} turns of people; {_plain(self.counted)}."
        yield ""
        yield "| habit | turns | record | kind | days a turn |"
        yield "|---|---|---|---|---|"
        for habit in dict.fromkeys(self.habits.values()):
            yield self._row(habit, [one for one in turns if self.habits[one.account] == habit])
        stayed = [one for one in turns if self.habits[one.account] != "leaves"]
        yield self._row("all who stayed", stayed)
        yield self._row("all", turns)
        yield ""
        why = Counter(word for one in turns for word in one.why)
        longer = sum(bool(one.why) for one in turns)
        yield f"- Turns with a later deadline than the record's: {_share(longer, len(turns))} ({_plain(why)})."
        stands = ", ".join(f"{name}: {length / HOUR / 24:.1f} days" for name, length in sorted(self.stands.items()))
        yield f"- The longest time without an entry, by clock: {stands}."
        waits = [length / HOUR for length in self.takes] or [0]
        yield f"- Seats taken over: {len(self.takes)}, free for {median(waits):.0f} hours at the median before."
        weeks = self.people * self.days / 7
        mails = sum(self.mails.values())
        yield f"- Emails: {mails:,}, {mails / weeks:.1f} a person and week ({_plain(self.mails)})."
        said = self.counted["messages"]
        yield f"- Messages: {said:,}, {said / weeks:.1f} a person and week."
        yield f"- Refused: {_plain(self.refused) or 'nothing'}."

    @staticmethod
    def _row(name: str, turns: Sequence[Stretch]) -> str:
        record, clock = sum(one.late for one in turns), sum(one.by_clock for one in turns)
        days = mean([one.took / HOUR / 24 for one in turns] or [0])
        return f"| {name} | {len(turns):,} | {_share(record, len(turns))} | {_share(clock, len(turns))} | {days:.2f} |"


def _share(some: int, of: int) -> str:
    return f"{100 * some / max(1, of):.2f} %"


def _plain(counted: Counter[str]) -> str:
    found: Iterable[tuple[str, int]] = counted.most_common()
    return ", ".join(f"{name} {number:,}" for name, number in found)
