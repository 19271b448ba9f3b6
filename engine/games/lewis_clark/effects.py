"""The vocabulary of cards and places: prices and what they buy. Data only.

    does(pay(wood=2), move("river", 2))      2 wood -> 2 river
    does(collect("fur"))                     1 fur for each fur badge in sight (see `counts.py`)

`says` turns each word into text, so one line of `cards.py` is both the rule and its sentence. `using.py` and `acts.py`
carry the words out; `counts.py` counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from engine.games.lewis_clark.components import BOATS, FAREWELL_DISCARDS, PRIMARY, UPGRADE_GOODS, UPGRADE_INDIANS
from engine.kit import count

Count = Literal["badges", "face-up", "on-boats", "pairs", "triples", "in-village", "scouts-ahead"]
COUNTS: dict[str, str] = {
    "face-up": "character face up in your play area",
    "on-boats": "Indian on your boats",
    "pairs": "pair of goods on your boats",
    "triples": "set of three goods on your boats",
    "in-village": "Indian in the village",
    "scouts-ahead": "scout level with your camp or ahead of it",
}


ANY_NUMBER = 99  # more than any player can hold


class Cost(msgspec.Struct, frozen=True):
    """The price of one activation: fixed goods (or Indians), and goods of the player's choice."""

    fixed: tuple[str, ...] = ()
    any: int = 0
    different: int = 0  # goods that must all differ

    @property
    def chosen(self) -> int:
        """Return how many goods the player names."""
        return self.any or self.different

    def says(self) -> str:
        parts = [amount(self.fixed.count(name), name) for name in dict.fromkeys(self.fixed)]
        parts += [f"{count(self.any, 'good')} of any kind"] * bool(self.any)
        parts += [f"{self.different} different goods"] * bool(self.different)
        return " + ".join(parts)


class Effect(msgspec.Struct, frozen=True):
    """The effect of an activation; the base of all words below."""

    def says(self) -> str:
        raise NotImplementedError


class Take(Effect, frozen=True):
    """Goods of one kind: a fixed number, or a number for each thing counted."""

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
    """Primary goods of the player's choice; at most `most` if they are counted."""

    amount: int = 1
    per: Count | None = None
    most: int = ANY_NUMBER
    differing: bool = False

    def says(self) -> str:
        goods = f"{count(self.amount, 'primary good')}{for_each(self.per)}"
        top = f", at most {self.most}" if self.most < ANY_NUMBER else ""
        return goods + top + ", all different" * self.differing


class Move(Effect, frozen=True):
    """The scout goes forward, over spaces of one terrain."""

    terrain: Literal["river", "mountain"]
    spaces: int = 1
    per: Count | None = None
    kind: str = ""  # the kind of badge that is counted

    def says(self) -> str:
        return f"{count(self.spaces, f'{self.terrain} space')}{for_each(self.per, self.kind)}"


class Copy(Effect, frozen=True):
    """The action of a character face up in any play area, or of a place of the village, once."""

    of: Literal["character", "occupied", "place"]

    def says(self) -> str:
        return {
            "character": "copy CARD: the action of a character face up in any play area, once",
            "occupied": "copy PLACE: the action of a place with an Indian on it, once",
            "place": "copy PLACE: the action of any place in the village, once",
        }[self.of]


class Gather(Effect, frozen=True):
    """The Interpreter gathers the village."""

    def says(self) -> str:
        return (
            "gather N: all Indians in the village go to the pow-wow, and N of them come aboard; one newcomer"
            " arrives from the stock; the cheapest card leaves the journal"
        )


class Invite(Effect, frozen=True):
    """A card goes from the journal to the hand."""

    def says(self) -> str:
        return "invite CARD: take any card from the journal into your hand"


class Farewell(Effect, frozen=True):
    """Up to three cards leave the hand, and all cards leave the journal."""

    def says(self) -> str:
        return f"discard CARD, up to {FAREWELL_DISCARDS} times, from your hand; then use: five new cards in the journal"


class Tile(Effect, frozen=True):
    """A boat and something to put on it."""

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
        return f"a boat for {holds}{' (delay 1)' * (boat.time != 'none')} + {cargo}"


# --- effects of cards that work while face up -----------------------------------------------------------------------


class Passive(msgspec.Struct, frozen=True):
    """The effect of a card that works while face up; the base of the four below."""

    def says(self) -> str:
        raise NotImplementedError


class Skips(Passive, frozen=True):
    """Moves do not count spaces with other scouts."""

    def says(self) -> str:
        return "your moves do not count occupied spaces"


class Cheaper(Passive, frozen=True):
    """Recruiting costs less fur."""

    fur: int

    def says(self) -> str:
        return f"recruiting costs {self.fur} fur less"


class Quicker(Passive, frozen=True):
    """A camp delays the scout less."""

    time: int

    def says(self) -> str:
        return f"a camp delays you {count(self.time, 'space')} less"


class Lengthens(Passive, frozen=True):
    """One move over this terrain in each action goes further."""

    terrain: Literal["river", "mountain"]
    spaces: int

    def says(self) -> str:
        return f"one {self.terrain} move in each action goes {count(self.spaces, 'space')} further"


class Way(msgspec.Struct, frozen=True):
    """One use of an action. `word` names it if there are several."""

    cost: Cost
    effect: Effect
    word: str = ""

    def says(self) -> str:
        price = self.cost.says()
        return f"{price} -> {self.effect.says()}" if price else self.effect.says()


FREE = Cost()
PIECES = ("canoe", "horse", "indian")  # the kinds with a plural


def amount(n: int, kind: str) -> str:
    """Return a number of a kind as people write it: `2 wood`, `2 horses`, `1 Indian`."""
    name = "Indian" if kind == "indian" else kind
    return count(n, name, "" if kind in PIECES else name)


def for_each(count: str | None, kind: str = "") -> str:
    """Return " for each ...", or "" if nothing is counted."""
    if count is None:
        return ""
    return f" for each {COUNTS.get(count, f'{kind} badge in sight')}"


def told(ways: Sequence[Way]) -> str:
    """Return every way with its word; a price or a count that all of them share is written once."""
    if len(ways) == 1:
        return ways[0].says()
    price = _shared(way.cost.says() for way in ways)
    each = _shared(way.effect.says().partition(" for each ")[2] for way in ways)
    brings = (way.effect.says() if price else way.says() for way in ways)
    each = f" for each {each}" if each else ""
    listed = (f"as {way.word}: {says.removesuffix(each)}" for way, says in zip(ways, brings, strict=True))
    return f"{price} -> " * bool(price) + f"{each[1:]}, " * bool(each) + "; or ".join(listed)


def _shared(texts: Iterable[str]) -> str:
    """Return the text that all of them share, or "" if they differ."""
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
    """A fixed number of one kind."""
    ((kind, amount),) = goods.items()
    return Take(kind, amount)


def collect(kind: str) -> Take:
    return Take(kind, 1, "badges")


def move(terrain: Literal["river", "mountain"], spaces: int) -> Move:
    return Move(terrain, spaces)


def move_per(terrain: Literal["river", "mountain"], count: Count, kind: str = "") -> Move:
    return Move(terrain, 1, count, kind)


def collects(*kinds: str) -> tuple[Way, ...]:
    """A choice of one of these kinds at each activation."""
    return tuple(does(collect(kind), word=kind) for kind in kinds)


def heap(count: Count) -> tuple[Way, ...]:
    """As many goods of one primary kind as there are things counted."""
    return tuple(does(Take(kind, 1, count), word=kind) for kind in PRIMARY)


def either(cost: Cost, spaces: int) -> tuple[Way, ...]:
    """A river move or a mountain move."""
    return (does(cost, move("river", spaces), word="river"), does(cost, move("mountain", spaces), word="mountain"))
