"""The limits of every audit of a game. Every report lists them, so that nobody overrates a passed check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.kit.words import count
from engine.record.audit.report import Holder
from engine.record.log.table import Table


def cannot_know(
    table: Table, held: Sequence[Holder], *, known: Mapping[int, str], server_given: bool, attested: int
) -> tuple[str, ...]:
    """One item for each, those about this game first."""
    said = [_keys(held, known), _server(table, server_given), _last_to_join(held)]
    said += [_bots(held), *_left(table), *_absent(held), _hidden(table), _lost(table), _attested(attested)]
    said += [
        f"whether anything was logged after entry {table.size - 1}",
        "the true times: each time in the log is the server's claim",
        "what the server foresaw, and what it revealed to others: it has held the secret from the beginning",
    ]
    return tuple(filter(None, said))


def _keys(held: Sequence[Holder], known: Mapping[int, str]) -> str:
    seats = [(one.seat, one.kid) for one in held if known.get(one.seat) != one.kid]
    return (
        "the people behind these keys: " + ", ".join(f"seat {seat + 1} {kid}" for seat, kid in seats) if seats else ""
    )


def _first_holders(held: Sequence[Holder]) -> list[Holder]:
    """The holders at the start of the game, or at its end if it never started: their nonces go into the dice."""
    return [one for one in held if one.by == "join" and (one.until is None or one.until in _takes(held))]


def _takes(held: Sequence[Holder]) -> set[int]:
    return {one.since for one in held if one.by != "join"}


def _absent(held: Sequence[Holder]) -> list[str]:
    return [
        f"whether somebody kept the holder of seat {one.seat + 1} away before {one.kid} took it (entry {one.since})"
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
    said = f"whether the server itself plays seat {seat + 1}, the last to join (entry {since})"
    return f"{said}: the last nonce could choose the dice"


def _bots(held: Sequence[Holder]) -> str:
    """Nonces of declared bots have no part in the dice; a bot's signature looks like a person's."""
    first = _first_holders(held)
    bots = [one.seat + 1 for one in first if one.bot]
    if not bots:
        return ""
    if len(bots) == len(first):
        return "whether the server chose the dice: every player is a declared bot, and the dice use no nonce of a bot"
    declared = f"seat {bots[0]} is a declared bot" if len(bots) == 1 else f"seats {_listed(bots)} are declared bots"
    return f"whether a program plays other seats, too: {declared}, and the dice use no nonce of a declared bot"


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}"


def _left(table: Table) -> list[str]:
    return [
        f"why {leave.kid} {'was removed from' if leave.removed else 'left'} seat {leave.seat + 1} (entry {leave.seq})"
        for leave in table.left
    ]


def _hidden(table: Table) -> str:
    if not table.hidden or table.stage != "running":
        return ""
    return "before the end, whether sealed moves, hidden draws, events and commitments are correct: they are unchecked"


def _lost(table: Table) -> str:
    if table.stage != "cancelled" or table.secret is not None:
        return ""
    if table.hidden:
        return "what was never shown, because the secret is lost: draws, moves, events, commitments"
    return "what was never shown, because the secret is lost: draws"


def _attested(unsigned: int) -> str:
    moves = count(unsigned, "unsigned move")
    return f"the players behind {moves}, which only the server attests" if unsigned else ""
