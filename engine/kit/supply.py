"""A supply: a bag or a shuffled deck as a multiset, so that no hidden order exists to leak or to guess."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

import msgspec


class Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Names with their counts, sorted by name, none of them zero; equal supplies have equal bytes."""

    rest: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> Self:
        """The supply with these counts; raises ValueError for a negative count."""
        if min(counts.values(), default=0) < 0:
            raise ValueError(f"a supply cannot hold fewer than none: {counts}")
        return cls(tuple(sorted([item for item in counts.items() if item[1]])))

    @property
    def total(self) -> int:
        return sum([n for _, n in self.rest])

    def count(self, name: str) -> int:
        for other, n in self.rest:
            if other == name:
                return n
        return 0

    def at(self, index: int) -> str:
        """The name at `index` (0 .. total - 1) when every piece lies in a row, sorted by name."""
        for name, n in self.rest:
            if index < n:
                return name
            index -= n
        raise IndexError("beyond the end of the supply")

    def add(self, names: Iterable[str]) -> Self:
        """Add these; the supply is sorted again only for a new name."""
        counts = dict(self.rest)
        for name in names:
            counts[name] = counts.get(name, 0) + 1
        items = counts.items()
        return type(self)(tuple(items) if len(counts) == len(self.rest) else tuple(sorted(items)))

    def take(self, names: Iterable[str]) -> Self:
        """Take these out, keeping the order; raises ValueError if the supply does not hold them all."""
        counts = dict(self.rest)
        for name in names:
            left = counts.get(name, 0)
            if left > 1:
                counts[name] = left - 1
            elif left:
                del counts[name]
            else:
                raise ValueError(f"a supply cannot hold fewer than none: {name} of {self.rest}")
        return type(self)(tuple(counts.items()))
