"""Comparing several people's copies of games in pairs, and finding the keys that signed them.

A fork shows at a size: two logs of that many entries end differently. Each side is a line or a checkpoint. It is
signed if a checkpoint of the server covers it: one on this entry, or on a later one that follows from it line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

import msgspec

from client.game_sources import GameCopy
from engine.record.audit.consistency import LogMark, Relation, compare, is_signed
from engine.record.encoding import canonical
from engine.record.signed.server_keys import ServerKeys

Proves = Literal["server", "one-key", "nothing"]


class Signer(msgspec.Struct, frozen=True):
    """A public key in base64url, and the file whose entry 0 names it; None for a key that the caller knows."""

    key: str
    named_by: str | None


class Side(msgspec.Struct, frozen=True):
    """One of the two texts that prove a fork: entry `seq` with its hash, as a line or as the note that names it."""

    name: str
    seq: int
    kind: str
    hash: str
    text: str
    signers: tuple[Signer, ...]


class Comparison(msgspec.Struct, frozen=True):
    """The relation of a second source to a first. `agree` is the greatest size at which both are known and alike, or 0.

    `proves` names the culprit of a fork: the `server`, if its given key has signed both sides; the holder of `one-key`
    that a file names; or `nothing`, if not both sides are signed.
    """

    first: str
    second: str
    relation: Relation
    agree: int
    sizes: tuple[int, int]
    proof: tuple[Side, Side] | None = None
    proves: Proves | None = None


class NoteKeys:
    """The keys that verify checkpoints: those that the caller knows, and those that the files name."""

    def __init__(self, known: ServerKeys | bytes | None, sources: Iterable[GameCopy]) -> None:
        self._known = known
        self._named: dict[tuple[str, str], dict[bytes, str]] = {}
        for source in sources:
            own = source.holding
            if own.server_key is not None:
                self._named.setdefault((own.server, own.game), {}).setdefault(own.server_key, source.name)

    def of(self, source: GameCopy) -> Mapping[bytes, str | None]:
        """The keys that may have signed this source's checkpoints, each with the file that names it, if any."""
        own = source.holding
        return {**self._named.get((own.server, own.game), {}), **dict.fromkeys(self._given(own.server))}

    def signers(self, source: GameCopy, size: int | None = None) -> tuple[Signer, ...]:
        """The signers of this source's log at this size; without a size, of any of its checkpoints."""
        notes = [one for one in source.notes if size is None or covers(source, one, size)]
        found = {key: why for key, why in self.of(source).items() if any(is_signed(one, key) for one in notes)}
        return tuple(Signer(canonical.to_base64url(key), why) for key, why in found.items())

    def _given(self, server: str) -> Sequence[bytes]:
        if isinstance(self._known, ServerKeys):
            return self._known.keys if self._known.server == server else ()
        return () if self._known is None else (self._known,)


def covers(source: GameCopy, one: LogMark, size: int) -> bool:
    """Does a checkpoint cover the entry that ends this source's log at this size?"""
    if one.size < size or source.says(one.size) != one.hash:
        return False
    return one.size == size or all(source.has_line(at) for at in range(size, one.size + 1))


def compare_all(sources: Sequence[GameCopy], keys: NoteKeys) -> list[Comparison]:
    """Compare every pair."""
    return [_compare(first, second, keys) for first, second in combinations(sources, 2)]


def _compare(first: GameCopy, second: GameCopy, keys: NoteKeys) -> Comparison:
    one, other = first.holding, second.holding
    found = compare(one, other)
    alike = [size for size in one.marks.keys() & other.marks.keys() if first.says(size) == second.says(size)]
    same_game = found.relation != "other-game"
    agree = max(alike, default=0) if same_game else 0
    pair = Comparison(first.name, second.name, found.relation, agree, (one.size, other.size))
    if found.at is None:
        return pair
    sides = _side(first, found.at, keys), _side(second, found.at, keys)
    before = [size for size in alike if size < found.at]
    return msgspec.structs.replace(pair, agree=max(before, default=0), proof=sides, proves=_proves(*sides))


def _side(source: GameCopy, size: int, keys: NoteKeys) -> Side:
    mark = source.holding.marks[size]
    kind = "note"
    if source.has_line(size):
        body = json.loads(mark.text)
        kind = body["kind"] if body["seq"] == size - 1 else "prev"
    return Side(source.name, size - 1, kind, canonical.to_base64url(mark.hash), mark.text, keys.signers(source, size))


def _proves(one: Side, other: Side) -> Proves:
    """Two keys of one server convict the server; one key that a file names convicts its holder."""
    given = [{signer.key for signer in side.signers if signer.named_by is None} for side in (one, other)]
    if all(given):
        return "server"
    both = {signer.key for signer in one.signers} & {signer.key for signer in other.signers}
    return "one-key" if both else "nothing"


def to_json(sources: Sequence[GameCopy], keys: NoteKeys, compared: Sequence[Comparison]) -> dict[str, Any]:
    """Everything as plain values, with whole lines."""
    listed = [
        {
            "name": source.name,
            "what": source.what,
            "server": source.holding.server,
            "game": source.holding.game,
            "size": source.holding.size,
            "signers": msgspec.to_builtins(keys.signers(source)),
        }
        for source in sources
    ]
    return {"sources": listed, "pairs": msgspec.to_builtins(compared)}
