"""What no audit can know of a game, said every time, so that nobody reads a green line as more than it is."""

from __future__ import annotations

from collections.abc import Collection

from engine.record.table import Table


def cannot_know(table: Table, *, keys_given: Collection[int], server_key_given: bool, attested: int) -> tuple[str, ...]:
    """Sentences, the game's own first."""
    said = [_keys(table, keys_given), _server(table, server_key_given), _last_to_join(table)]
    said += [_bots(table), *_left(table), _hidden(table), _lost(table), _attested(attested)]
    said += [
        f"what was logged after entry {table.size - 1}, if anything was",
        "true times: each time in the log is the server's word",
        "what the server foresaw or told to whom: it holds the secret from the beginning",
    ]
    return tuple(filter(None, said))


def _keys(table: Table, given: Collection[int]) -> str:
    seats = [(seat, o.kid) for seat, o in enumerate(table.occupants) if o is not None and seat not in given]
    return "whose the keys are: " + ", ".join(f"seat {seat} {kid}" for seat, kid in seats) if seats else ""


def _server(table: Table, given: bool) -> str:
    return "" if given else f"whether {table.created['server_key']} is the key of {table.server}"


def _last_to_join(table: Table) -> str:
    seated = [(o.since, seat) for seat, o in enumerate(table.occupants) if o is not None and not o.bot]
    if not seated:
        return ""
    since, seat = max(seated)
    return (
        f"whether seat {seat}, the last to join (entry {since}), is the server's: it could choose the dice by its nonce"
    )


def _bots(table: Table) -> str:
    """Nobody signs that he is a bot, and whoever is called one has no part in the dice."""
    bots = [seat for seat, o in enumerate(table.occupants) if o is not None and o.bot]
    if not bots:
        return ""
    seats = ", ".join(map(str, bots))
    said = f"whether the server's word on bots (seat {seats}) is true: no nonce of theirs is in the dice"
    alone = len(bots) == sum(o is not None for o in table.occupants)
    return f"{said}, nor anybody else's, so it could choose them all" if alone else said


def _left(table: Table) -> list[str]:
    return [
        f"why {leave.kid} {'was removed from' if leave.removed else 'left'} seat {leave.seat} (entry {leave.seq})"
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
