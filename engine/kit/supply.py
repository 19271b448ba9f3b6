"""A supply: a bag or a shuffled deck as a multiset, so that no hidden order exists to leak or to guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Self

import msgspec


class Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names with their counts, sorted by name, none of them zero; equal supplies have equal bytes."""

    rest: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> Self:
        """The supply with these counts; a negative count is a caller's mistake and raises ValueError."""
        if any(n < 0 for n in counts.values()):
            raise ValueError(f"a supply cannot hold fewer than none: {counts}")
        return cls(tuple(sorted((name, n) for name, n in counts.items() if n)))

    @property
    def total(self) -> int:
        return sum(n for _, n in self.rest)

    def count(self, name: str) -> int:
        return next((n for other, n in self.rest if other == name), 0)

    def at(self, index: int) -> str:
        """The name at `index` (0 .. total - 1) when every piece lies in a row, sorted by name."""
        for name, n in self.rest:
            if index < n:
                return name
            index -= n
        raise IndexError("beyond the end of the supply")

    def add(self, names: Iterable[str]) -> Self:
        return self.of(Counter(dict(self.rest)) + Counter(names))

    def take(self, names: Iterable[str]) -> Self:
        """Without these; ValueError if it does not hold them all."""
        counts = Counter(dict(self.rest))
        counts.subtract(names)
        return self.of(counts)
