"""Many legal commands in few lines, for mails and pages: `donate 1..7`, `raise 2 3|5`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.game import Command
from engine.kit.notation import format_command


def group(commands: Iterable[Command]) -> tuple[str, ...]:
    """List exactly these commands in few lines; each line varies in one word at most."""
    kinds: dict[tuple[type[Command], int], list[list[str]]] = {}
    for command in commands:
        words = format_command(command).split()
        kinds.setdefault((type(command), len(words)), []).append(words)
    return tuple(line for rows in kinds.values() for line in _fewest(rows))


def _fewest(rows: list[list[str]]) -> list[str]:
    """The shortest of the listings that vary in one word."""
    return min((_vary(rows, place) for place in reversed(range(len(rows[0])))), key=len)


def _vary(rows: list[list[str]], place: int) -> list[str]:
    buckets: dict[tuple[str, ...], list[str]] = {}
    for words in rows:
        buckets.setdefault((*words[:place], "", *words[place + 1 :]), []).append(words[place])
    return [" ".join(word or _range(found) for word in rest) for rest, found in buckets.items()]


def _range(words: Sequence[str]) -> str:
    if len(words) > 2 and all(word.isdigit() for word in words):
        numbers = sorted(map(int, words))
        if numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{numbers[0]}..{numbers[-1]}"
    return "|".join(words)
