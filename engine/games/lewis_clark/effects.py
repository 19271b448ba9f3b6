"""The vocabulary in which cards and places are written: what is paid, and what it is paid for. Data only.

    does(pay(wood=2), move("river", 2))      2 wood -> 2 river
    does(collect("fur"))                     1 fur for each fur badge in sight (see `counts.py`)

Every word says itself (`says`), so that one line of `cards.py` is the rule and the sentence. What the words do stands
in `using.py` and `acts.py`; what is counted, in `counts.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from engine.games.lewis_clark.components import BOATS, FAREWELL_DISCARDS, PRIMARY, UPGRADE_GOODS, UPGRADE_INDIANS

Count = Literal["badges", "face-up", "on-boats", "pairs", "triples", "in-village", "scouts-ahead"]
COUNTS: dict[str, str] = {
    "face-up": "character face up in the own play area",
    "on-boats": "Indian on the own boats",
    "pairs": "pair of goods on the own boats",
    "triples": "three goods on the own boats",
    "in-village": "Indian in the village",
    "scouts-ahead": "scout level with the own camp or ahead",
}


ANY_NUMBER = 99  # more than anybody can hold


class Cost(msgspec.Struct, frozen=True):
    """What one activation takes: named goods (or Indians), and goods of free choice."""

    fixed: tuple[str, ...] = ()
    any: int = 0
    different: int = 0  # goods that must all differ

    @property
    def chosen(self) -> int:
        """How many goods the player names."""
        return self.any or self.different

    def says(self) -> str:
        parts = [amount(self.fixed.count(name), name) for name in dict.fromkeys(self.fixed)]
        parts += [f"{self.any} good{'s' * (self.any > 1)} of any kind"] * bool(self.any)
        parts += [f"{self.different} different goods"] * bool(self.different)
        return " + ".join(parts)


class Effect(msgspec.Struct, frozen=True):
    """What an activation brings: the base of all words below."""

    def says(self) -> str:
        raise NotImplementedError


class Take(Effect, frozen=True):
    """Goods of one kind: so many, or so many for each thing counted."""

    kind: str
    amount: int = 1
    per: Count | None = None

    def says(self) -> str:
        return f"{amount(self.amount, self.kind)}{for_each(self.per, self.kind)}"


class Bundle(Effect, frozen=True):
    """Goods of several kinds at once."""

    goods: tuple[str, ...]

    def says(self) -> str:
        return " + ".join(f"1 {good}" for good in self.goods)


class Choose(Effect, frozen=True):
    """Primary goods of free choice; at most `most`, if they are counted."""

    amount: int = 1
    per: Count | None = None
    most: int = ANY_NUMBER
    differing: bool = False

    def says(self) -> str:
        goods = f"{self.amount} primary good{'s' * (self.amount > 1)}{for_each(self.per)}"
        top = f", at most {self.most}" if self.most < ANY_NUMBER else ""
        return goods + top + ", all different" * self.differing


class Move(Effect, frozen=True):
    """The scout goes forward, over spaces of one terrain."""

    terrain: Literal["river", "mountain"]
    spaces: int = 1
    per: Count | None = None
    kind: str = ""  # whose badges are counted

    def says(self) -> str:
        return f"{self.spaces} {self.terrain}{for_each(self.per, self.kind)}"


class Copy(Effect, frozen=True):
    """The action of another, once: of a character face up before anybody, or of a place of the village."""

    of: Literal["character", "occupied", "place"]

    def says(self) -> str:
        return {
            "character": "copy CARD: once the action of a character face up before any player",
            "occupied": "copy PLACE: the action of a place where an Indian stands",
            "place": "copy PLACE: the action of any place of the village",
        }[self.of]


class Gather(Effect, frozen=True):
    """The Interpreter's."""

    def says(self) -> str:
        return (
            "gather N: all Indians of the village meet, N of them come aboard; one newcomer from the stock;"
            " the cheapest card leaves the journal"
        )


class Invite(Effect, frozen=True):
    """A card of the journal comes to the hand."""

    def says(self) -> str:
        return "invite CARD: any card of the journal to the hand"


class Farewell(Effect, frozen=True):
    """Cards of the hand may go, all of the journal does."""

    def says(self) -> str:
        discard = f"discard CARD: a card of the hand, {FAREWELL_DISCARDS} times at most"
        return f"{discard}; then use: five new cards in the journal"


class Tile(Effect, frozen=True):
    """A boat, and something to put on it."""

    tile: str

    @property
    def holds(self) -> str:
        return BOATS[self.tile].holds

    def says(self) -> str:
        boat = BOATS[self.tile]
        cargo = (
            f"{UPGRADE_GOODS} primary goods" if boat.holds == "goods" else f"{UPGRADE_INDIANS} Indian from the stock"
        )
        holds = f"{boat.room} goods" if boat.holds == "goods" else amount(boat.room or 0, "indian")
        return f"a boat for {holds}{' (time 1)' * (boat.time != 'none')} + {cargo}"


# --- what works while its card lies face up -------------------------------------------------------------------------


class Passive(msgspec.Struct, frozen=True):
    """How a card helps that is not used: the base of the four below."""

    def says(self) -> str:
        raise NotImplementedError


class Skips(Passive, frozen=True):
    """Spaces where other scouts stand are not counted in moves."""

    def says(self) -> str:
        return "moves do not count occupied spaces"


class Cheaper(Passive, frozen=True):
    """Recruiting takes less fur."""

    fur: int

    def says(self) -> str:
        return f"recruiting takes {self.fur} fur less"


class Quicker(Passive, frozen=True):
    """A camp takes less time."""

    time: int

    def says(self) -> str:
        return f"a camp takes {self.time} time less"


class Lengthens(Passive, frozen=True):
    """One move of each action, over this terrain, goes further."""

    terrain: Literal["river", "mountain"]
    spaces: int

    def says(self) -> str:
        return f"one {self.terrain} move of each action goes {self.spaces} further"


class Way(msgspec.Struct, frozen=True):
    """One of the things that an action can be used for. `word` names it where there are several."""

    cost: Cost
    effect: Effect
    word: str = ""

    def says(self) -> str:
        price = self.cost.says()
        return f"{price} -> {self.effect.says()}" if price else self.effect.says()


FREE = Cost()
PIECES = ("canoe", "horse", "indian")  # which people count; the other goods have no plural


def amount(n: int, kind: str) -> str:
    """So many of a kind, as people write it: `2 wood`, `2 horses`, `1 Indian`."""
    plural = "s" if n > 1 and kind in PIECES else ""
    return f"{n} {kind.capitalize() if kind == 'indian' else kind}{plural}"


def for_each(count: str | None, kind: str = "") -> str:
    """The end of a sentence: " for each ..."; nothing if nothing is counted."""
    if count is None:
        return ""
    return f" for each {COUNTS.get(count, f'{kind} badge in sight')}"


def told(ways: Sequence[Way]) -> str:
    """Every way with the word that names it; a price, or what is counted, once if it is the same for all."""
    if len(ways) == 1:
        return ways[0].says()
    price = _shared(way.cost.says() for way in ways)
    each = _shared(way.effect.says().partition(" for each ")[2] for way in ways)
    brings = (way.effect.says() if price else way.says() for way in ways)
    each = f" for each {each}" if each else ""
    listed = (f"as {way.word}: {says.removesuffix(each)}" for way, says in zip(ways, brings, strict=True))
    return f"{price} -> " * bool(price) + "; or ".join(listed) + f";{each}" * bool(each)


def _shared(texts: Iterable[str]) -> str:
    """What all of them say; nothing if they differ."""
    found = set(texts)
    return found.pop() if len(found) == 1 else ""


# --- how a line is written ------------------------------------------------------------------------------------------


def pay(*, any: int = 0, different: int = 0, indians: int = 0, **goods: int) -> Cost:  # noqa: A002 - reads as a price
    named = (*("indian",) * indians, *(good for good, n in goods.items() for _ in range(n)))
    return Cost(named, any, different)


def does(*parts: Cost | Effect, word: str = "") -> Way:
    """`does(pay(...), effect)` or `does(effect)`."""
    cost = next((part for part in parts if isinstance(part, Cost)), FREE)
    return Way(cost, next(part for part in parts if isinstance(part, Effect)), word)


def take(**goods: int) -> Take:
    """So many of one kind."""
    ((kind, amount),) = goods.items()
    return Take(kind, amount)


def collect(kind: str) -> Take:
    return Take(kind, 1, "badges")


def move(terrain: Literal["river", "mountain"], spaces: int) -> Move:
    return Move(terrain, spaces)


def move_per(terrain: Literal["river", "mountain"], count: Count, kind: str = "") -> Move:
    return Move(terrain, 1, count, kind)


def collects(*kinds: str) -> tuple[Way, ...]:
    """One of these kinds at each activation."""
    return tuple(does(collect(kind), word=kind) for kind in kinds)


def heap(count: Count) -> tuple[Way, ...]:
    """As many of one primary kind as are counted."""
    return tuple(does(Take(kind, 1, count), word=kind) for kind in PRIMARY)


def either(cost: Cost, spaces: int) -> tuple[Way, ...]:
    """A river move or a mountain move."""
    return (does(cost, move("river", spaces), word="river"), does(cost, move("mountain", spaces), word="mountain"))
