"""The laws of a lesson: it plays through from its seed, gives what it says, and is short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine import lessons, registry
from engine.kit import format_command, legal
from engine.lessons import LEARNER, Lesson, Prompt, Stage

STEPS = 10, 15
MOST_WORDS = {"about": 40, "asks": 25, "why": 45, "ends": 60}
NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS.split(), 2)}
FIGURES = re.compile(rf"\b(?:[0-9]+|{'|'.join(NUMBERS)})\b")


class Mistaught(AssertionError):
    """A lesson that breaks a law."""


def check(key: str, taught: Lesson) -> None:
    """Every law for a lesson of a game."""
    check_lengths(taught)
    stages = lessons.played(key, taught)
    for number, prompt in enumerate(taught.steps):
        where = f"step {number + 1} of {key}, `{prompt.move}`"
        before, after = stages[number], stages[number + 1]
        check_is_legal(key, prompt, before, where)
        check_values(key, prompt, before, after, where)
        check_quotes(key, prompt, where)
        check_numbers(prompt, where)


def check_lengths(taught: Lesson) -> None:
    least, most = STEPS
    if not least <= len(taught.steps) <= most:
        raise Mistaught(f"{len(taught.steps)} steps; a lesson has {least} to {most}")
    texts = [("about", taught.about), ("ends", taught.ends)]
    texts += [(name, getattr(prompt, name)) for prompt in taught.steps for name in ("asks", "why")]
    for name, text in texts:
        if not 1 <= len(text.split()) <= MOST_WORDS[name]:
            raise Mistaught(f"{name}: {len(text.split())} words, at most {MOST_WORDS[name]}: {text!r}")


def check_is_legal(key: str, prompt: Prompt, before: Stage, where: str) -> None:
    """The command is one of those that the learner's page offers, in its one spelling."""
    command = lessons.command(key, prompt)
    if command not in legal(registry.find(key), before.state, LEARNER):
        raise Mistaught(f"{where}: not legal there")
    if format_command(command) != prompt.move:
        raise Mistaught(f"{where}: written `{format_command(command)}`")


def check_values(key: str, prompt: Prompt, before: Stage, after: Stage, where: str) -> None:
    if not prompt.changes:
        raise Mistaught(f"{where}: says nothing of what it changes")
    for said, state in ((prompt.changes, after.at_once), (prompt.later, after.state)):
        old, new = (lessons.values(key, one, said) for one in (before.state, state))
        for path, (first, second) in said.items():
            if (old[path], new[path]) != (first, second):
                raise Mistaught(f"{where}: {path} is {old[path]}, then {new[path]}; the lesson has {first}, {second}")
            if first == second:
                raise Mistaught(f"{where}: {path} does not change")
    for path, value in lessons.values(key, before.state, prompt.facts).items():
        if value != prompt.facts[path]:
            raise Mistaught(f"{where}: {path} is {value}; the lesson has {prompt.facts[path]}")


def check_quotes(key: str, prompt: Prompt, where: str) -> None:
    guide = " ".join(registry.guide(key).split())
    for quote in prompt.quotes:
        if quote not in guide:
            raise Mistaught(f"{where}: the guide does not say {quote!r}")


def check_numbers(prompt: Prompt, where: str) -> None:
    """Each number of its sentences is in the command, in a value that is compared, or in a passage of the guide."""
    known = {*_known(prompt), *map(_number, FIGURES.findall(" ".join(prompt.quotes)))}
    for figure in FIGURES.findall(f"{prompt.asks} {prompt.why}"):
        if _number(figure) not in known:
            raise Mistaught(f"{where}: nothing shows where its {figure} is from")


def _number(figure: str) -> int:
    return NUMBERS[figure] if figure in NUMBERS else int(figure)


def _known(prompt: Prompt) -> Iterator[int]:
    yield from map(int, re.findall("[0-9]+", prompt.move))
    pairs = [*prompt.changes.values(), *prompt.later.values()]
    yield from _inside([pairs, list(prompt.facts.values())])
    yield from (abs(new - old) for old, new in pairs if isinstance(old, int) and isinstance(new, int))


def _inside(value: Any) -> Iterator[int]:
    """The numbers in a value, in its words too (`2-wood`), and how many things its lists hold."""
    if isinstance(value, (list, tuple)):
        yield len(value)
        for one in value:
            yield from _inside(one)
    elif isinstance(value, str):
        yield from map(int, re.findall("[0-9]+", value))
        yield from [len(value)] if value.isupper() else []  # a row of signs: RRRR are four rivers
    elif isinstance(value, int):
        yield value
