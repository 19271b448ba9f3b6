"""A supply: a bag or a shuffled deck as a multiset, so that no hidden order exists to leak or to guess."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

import msgspec


class Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Names with their counts, sorted by name, none of them zero; equal supplies have equal bytes."""

    rest: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(counts: Mapping[str, int]) -> Supply:
        """The supply with these counts; raises ValueError for a negative count."""
        if min(counts.values(), default=0) < 0:
            raise ValueError(f"a supply cannot hold fewer than none: {counts}")
        rest = tuple(sorted([item for item in counts.items() if item[1]]))
        return Supply(rest) if rest else EMPTY

    @property
    def total(self) -> int:
        return sum([n for _, n in self.rest])

    @property
    def pieces(self) -> tuple[str, ...]:
        """Every piece in a row, sorted by name."""
        return tuple([name for name, n in self.rest for _ in range(n)])

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

    def add(self, names: Iterable[str]) -> Supply:
        """Add these."""
        rest = [*self.rest]
        for name in names:
            at = bisect_left(rest, (name,))
            if at < len(rest) and rest[at][0] == name:
                rest[at] = (name, rest[at][1] + 1)
            else:
                rest.insert(at, (name, 1))
        return Supply(tuple(rest)) if rest else EMPTY

    def take(self, names: Iterable[str]) -> Supply:
        """Take these out; raises ValueError if the supply does not hold them all."""
        rest = [*self.rest]
        for name in names:
            at = bisect_left(rest, (name,))
            if at == len(rest) or rest[at][0] != name:
                raise ValueError(f"a supply cannot hold fewer than none: {name} of {self.rest}")
            if rest[at][1] > 1:
                rest[at] = (name, rest[at][1] - 1)
            else:
                del rest[at]
        return Supply(tuple(rest)) if rest else EMPTY


# `of`, `add` and `take` return this one. A field that has it as its default is then left out of the bytes whenever it
# is empty: the encoder compares with defaults by identity.
EMPTY = Supply()
