"""What no audit can know of a game, said every time, so that nobody reads a green line as more than it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.record.audit.report import Holder
from engine.record.log.table import Table


def cannot_know(
    table: Table, held: Sequence[Holder], *, known: Mapping[int, str], server_given: bool, attested: int
) -> tuple[str, ...]:
    """Sentences, the game's own first."""
    said = [_keys(held, known), _server(table, server_given), _last_to_join(held)]
    said += [_bots(held), *_left(table), *_absent(held), _hidden(table), _lost(table), _attested(attested)]
    said += [
        f"what was logged after entry {table.size - 1}, if anything was",
        "true times: each time in the log is the server's word",
        "what the server foresaw or told to whom: it holds the secret from the beginning",
    ]
    return tuple(filter(None, said))


def _keys(held: Sequence[Holder], known: Mapping[int, str]) -> str:
    seats = [(one.seat, one.kid) for one in held if known.get(one.seat) != one.kid]
    return "whose the keys are: " + ", ".join(f"seat {seat + 1} {kid}" for seat, kid in seats) if seats else ""


def _first_holders(held: Sequence[Holder]) -> list[Holder]:
    """Who sits where when the game starts, or would: their nonces make the dice."""
    return [one for one in held if one.by == "join" and (one.until is None or one.until in _takes(held))]


def _takes(held: Sequence[Holder]) -> set[int]:
    return {one.since for one in held if one.by != "join"}


def _absent(held: Sequence[Holder]) -> list[str]:
    return [
        f"whether the holder of seat {one.seat + 1} was kept away when {one.kid} took it as absent (entry {one.since})"
        for one in held
        if one.by == "absence"
    ]


def _server(table: Table, given: bool) -> str:
    return "" if given else f"whether {table.created['server_key']} is the key of {table.server}"


def _last_to_join(held: Sequence[Holder]) -> str:
    seated = [(one.since, one.seat) for one in _first_holders(held) if not one.bot]
    if not seated:
        return ""
    since, seat = max(seated)
    said = f"whether seat {seat + 1}, the last to join (entry {since}), is the server's"
    return f"{said}: it could choose the dice by its nonce"


def _bots(held: Sequence[Holder]) -> str:
    """Declared bots have no part in the dice; nobody can tell a machine's signature from a person's."""
    first = _first_holders(held)
    bots = [one.seat + 1 for one in first if one.bot]
    if not bots:
        return ""
    said = f"who is a machine: seat {', '.join(map(str, bots))} says so, and no nonce of theirs is in the dice"
    return f"{said}, nor anybody else's, so the server could choose them all" if len(bots) == len(first) else said


def _left(table: Table) -> list[str]:
    return [
        f"why {leave.kid} {'was removed from' if leave.removed else 'left'} seat {leave.seat + 1} (entry {leave.seq})"
        for leave in table.left
    ]


def _hidden(table: Table) -> str:
    if not table.hidden or table.stage != "running":
        return ""
    return "before the end: whether sealed moves, hidden draws, events and seals keep the rules; they are unchecked"


def _lost(table: Table) -> str:
    if table.stage != "cancelled" or table.secret is not None:
        return ""
    return "the secret: it is lost, so draws not shown" + (", moves, events and seals" if table.hidden else "")


def _attested(count: int) -> str:
    return f"who made {count} unsigned moves: the server alone attests them" if count else ""
