"""Numbered draws in two lanes, from keys that were fixed before anybody joined: nothing here is random.

The public lane's keys form a chain that is walked backwards: L(N) comes from the game's secret, L(d-1) is a hash of
L(d), and L(0) is published before anybody joins. So anyone who is shown L(d) can hash it back to an earlier key, and
nobody can compute L(d+1) from it. The hidden lane's keys come from the secret one by one; the secret itself is
published when the game ends. Both are mixed with the players' nonces (`entropy`), so not even the server could choose
the result of a key.

The normative text is docs/spec/record.md, "Chance"; the bytes are version 1 and closed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Protocol

from engine.errors import EngineFault, Uncertain

MAX_DRAW = 2**32
MAX_DRAWS = 2**20


@lru_cache(maxsize=64)
def domain(x: str) -> bytes:
    """D(x): the label of one purpose. No label is the beginning of another, because each ends with a zero byte."""
    return b"sealedmove/1/" + x.encode("ascii") + b"\0"


def derive(secret: bytes, label: str, a: int, b: int) -> bytes:
    """K(label, a, b): 32 bytes from the game's secret; `a` and `b` below 2^64."""
    inside, outside = _halves(secret, label)
    inner, outer = inside.copy(), outside.copy()
    inner.update(a.to_bytes(8, "big") + b.to_bytes(8, "big"))
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=128)
def _halves(secret: bytes, label: str) -> tuple[hashlib._Hash, hashlib._Hash]:
    """HMAC-SHA256 (RFC 2104) with key and label already hashed, to be copied: a secret gives several keys an entry."""
    padded = _padded(secret)
    return hashlib.sha256(padded.translate(_INNER) + domain(label)), hashlib.sha256(padded.translate(_OUTER))


def _padded(key: bytes) -> bytes:
    return (key if len(key) <= 64 else hashlib.sha256(key).digest()).ljust(64, b"\0")


_INNER, _OUTER = (bytes(x ^ mask for x in range(256)) for mask in (0x36, 0x5C))


def hmac_of(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104): twice as fast as `hmac.digest`, which looks the hash up by name in OpenSSL each time."""
    padded = key.ljust(64, b"\0") if len(key) <= 64 else _padded(key)
    inner = _sha256(padded.translate(_INNER) + message).digest()
    return _sha256(padded.translate(_OUTER) + inner).digest()


_sha256 = hashlib.sha256


def chain_key(secret: bytes, total: int, d: int) -> bytes:
    """L(d) of a chain for `total` draws, the key of public draw d; L(0) is the commitment to all of them."""
    if not 0 <= total <= MAX_DRAWS:
        raise EngineFault("bad-chain", total=total, most=MAX_DRAWS)
    if not 0 <= d <= total:
        raise EngineFault("draws-used-up", draw=d, total=total)
    at = 32 * (d % STRETCH)
    return _stretch(secret, total, d // STRETCH)[at : at + 32]


def links(key: bytes, d: int, shown: int) -> Iterator[bytes]:
    """L(d) = `key`, L(d-1), ... down to L(shown)."""
    yield key
    label = hashlib.sha256(domain("link"))  # hashed once: chains are long
    for number in range(d, shown, -1):
        link = label.copy()
        link.update(number.to_bytes(8, "big") + key)
        key = link.digest()
        yield key


def link_back(key: bytes, d: int, shown: int) -> bytes:
    """L(shown) from L(d) = `key`, for shown <= d: this checks a key against an older one."""
    *_, found = links(key, d, shown)
    return found


def entropy(created_hash: bytes, seats: Iterable[tuple[bytes, bytes]]) -> bytes:
    """E: entry 0's hash and the (thumbprint, nonce) of each seat at the start, 32 bytes each, bots left out."""
    return hashlib.sha256(domain("entropy") + created_hash + b"".join(sorted(a + b for a, b in seats))).digest()


def draw(key: bytes, entropy: bytes, d: int, n: int) -> int:
    """Draw number `d` from `n` possibilities (1 to 2^32): an even choice among 0 .. n-1, by rejection."""
    if not 1 <= n <= MAX_DRAW:
        raise EngineFault("bad-draw", n=n, most=MAX_DRAW)
    if n == 1:
        return 0
    width, limit = _even(n)
    named = _DRAW + entropy + d.to_bytes(8, "big")
    block, at = hmac_of(key, named + _FIRST), 0
    while (x := int.from_bytes(block[at : at + width], "big")) >= limit:
        at += width
        if len(block) < at + width:
            block += hmac_of(key, named + (len(block) // 32).to_bytes(4, "big"))
    return x % n


_DRAW, _FIRST = domain("draw"), bytes(4)


@lru_cache(maxsize=256)
def _even(n: int) -> tuple[int, int]:
    """The number of bytes to read for a draw from `n`, and the multiple of `n` below which a number is kept."""
    width = ((n - 1).bit_length() + 7) // 8
    return width, 256**width - 256**width % n


Draw = Callable[[bytes, bytes, int, int], int]


class Pieces(Protocol):
    """A supply to draw from: names with their counts, sorted by name. `engine.kit.Supply` is one."""

    @property
    def rest(self) -> tuple[tuple[str, int], ...]: ...

    @property
    def total(self) -> int: ...

    def at(self, index: int) -> str: ...


class Lane:
    """One lane of draws. `next` is the number of the next draw, `got` the draws so far as (n, result)."""

    def __init__(self, key_of: Callable[[int], bytes], entropy: bytes, first: int, draw: Draw = draw) -> None:
        """`key_of` gives the key of a draw by its number; `first` is the number of the first draw made here.

        `draw` is the function of that name, or one that caches its results.
        """
        self._draw = draw
        self._key_of = key_of
        self._entropy = entropy
        self.next = first
        self.got: list[tuple[int, int]] = []

    @property
    def drawn(self) -> bool:
        """True if anything was drawn; the move is then final."""
        return bool(self.got)

    def roll(self, n: int) -> int:
        """One of 0 .. n-1. With n = 1 a number is used up, too, so that counting needs no exception."""
        number = self.next
        result = self._draw(self._key_of(number), self._entropy, number, n)
        self.got.append((n, result))
        self.next = number + 1
        return result

    def die(self, sides: int) -> int:
        """One of 1 .. sides."""
        return self.roll(sides) + 1

    def pick(self, supply: Pieces) -> str:
        """The name of one piece of the supply, each equally likely; the supply itself does not change."""
        return supply.at(self.roll(supply.total))

    def sample(self, supply: Pieces, n: int) -> tuple[str, ...]:
        """The names of `n` pieces taken one after the other, in the order of the draws."""
        rest, total = [*supply.rest], supply.total
        names: list[str] = []
        for gone in range(n):
            index = self.roll(total - gone)
            for at, (name, count) in enumerate(rest):  # as `Supply.at`, without a new supply for each piece
                if index < count:
                    rest[at] = (name, count - 1)
                    names.append(name)
                    break
                index -= count
        return tuple(names)

    def onward(self) -> Lane:
        """The same lane for the next move: numbering continues, and nothing is drawn yet."""
        return Lane(self._key_of, self._entropy, self.next, self._draw)


def closed_lane() -> Lane:
    """A lane that cannot be drawn from: each try raises Uncertain, which is where a preview ends."""
    return Lane(_nothing, b"", 1)


def imagined_lane(number: int) -> Lane:
    """One of many lanes with no relation to the game's draws: what might be drawn. The same number draws the same."""
    return Lane(lambda d: hashlib.sha256(b"%d %d" % (number, d)).digest(), b"", 1)


def _nothing(d: int) -> bytes:
    raise Uncertain("draw", number=d)


# A chain has thousands of keys, a server has thousands of games, and a move draws a few keys. So only the last key of
# each stretch is kept, and the keys of a stretch that is drawn from.
STRETCH = 64  # keys


@lru_cache(maxsize=1024)
def _stretch(secret: bytes, total: int, number: int) -> bytes:
    """L(64 n) | L(64 n + 1) | ... up to the last key of stretch n, in one piece of 32 bytes each."""
    first, mark = number * STRETCH, _marks(secret, total)[32 * number : 32 * number + 32]
    return b"".join(reversed([*links(mark, min(first + STRETCH - 1, total), first)]))


@lru_cache(maxsize=1024)
def _marks(secret: bytes, total: int) -> bytes:
    """The last key of each stretch: L(63) | L(127) | ... | L(total)."""
    keys = zip(range(total, -1, -1), links(derive(secret, "chain", total, 0), total, 0), strict=True)
    return b"".join(reversed([key for d, key in keys if d == total or d % STRETCH == STRETCH - 1]))
