"""A brute-force solver, which judges the quick one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

OTHER = {"R": "M", "M": "R"}


def crosses(actions: tuple[str, ...], road: str) -> bool:
    """Do these actions, or some of them, cross the whole road?"""
    movers = [gives.split("|") for gives in actions if gives[0] not in "+~"]
    more = [gives[1:] for gives in actions if gives[0] == "+"]
    changes = actions.count("~")
    return any(
        _in_any_order(blocks, changed)
        for chosen in product(*movers)
        for blocks in _prolonged(chosen, more)
        for changed in _with_changes(road, changes)
    )


def _prolonged(blocks: tuple[str, ...], more: list[str]) -> Iterator[tuple[str, ...]]:
    """Every way to give each extension to one block of its terrain, or to none."""
    if not more:
        yield blocks
        return
    yield from _prolonged(blocks, more[1:])
    for place, block in enumerate(blocks):
        terrain = more[0][0]
        if terrain in block:
            longer = "".join(sorted(block + more[0], reverse=block[0] == "R"))
            yield from _prolonged((*blocks[:place], longer, *blocks[place + 1 :]), more[1:])


def _with_changes(road: str, changes: int) -> Iterator[str]:
    """The road, and the road with up to this many of its icons changed."""
    for count in range(min(changes, len(road)) + 1):
        for places in combinations(range(len(road)), count):
            yield "".join(OTHER[icon] if at in places else icon for at, icon in enumerate(road))


def _in_any_order(blocks: tuple[str, ...], road: str) -> bool:
    """Is the road empty, or can a block cross a stretch at its bottom and the others the rest?"""
    if not road:
        return True
    return any(
        _fits(road[:length], block) and _in_any_order((*blocks[:place], *blocks[place + 1 :]), road[length:])
        for place, block in enumerate(blocks)
        for length in range(1, len(road) + 1)
    )


def _fits(stretch: str, block: str) -> bool:
    """Is the stretch what is left of the block when some of its icons are struck out?"""
    kept = (c for c in product((False, True), repeat=len(block)) if sum(c) == len(stretch))
    return any("".join(icon for icon, keep in zip(block, choice, strict=True) if keep) == stretch for choice in kept)
