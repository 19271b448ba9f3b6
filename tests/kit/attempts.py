"""Attempts at the next entry, allowed or not: checked as a server does, or logged regardless.

tried = attempt(record, "taken", 1)         the act that a stranger would sign; options change it
at_door(record, tried)                      Refused with a code, or nothing
logged(record, tried)                       the bundle of a server that logs it unchecked
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.record.compose import entries as c
from engine.record.encoding import canonical
from engine.record.laws import admission
from engine.record.signed import acts, keys, moves
from engine.record.signed.keys import sign_jws
from tests.kit.play_record import Record, bundle_of, jwk_of, removed, seed_of

ROLL: list[Any] = [{"do": "roll"}]
BID: list[Any] = [{"do": "bid", "amount": 1}]
STRANGER = seed_of(77)
WITH_EVENTS = ("started", "moved", "resigned", "expired")


class Attempt(NamedTuple):
    """An entry's kind and its own members; the act if a player signed one, and the text of a sealed move."""

    kind: str
    body: dict[str, Any]
    jws: str | None = None


def attempt(record: Record, kind: str, seat: int = 0, **unusual: Any) -> Attempt:
    """The usual entry of this kind at this seat, signed on the last entry by its usual signer.

    `seed` is another private seed to sign with; any other name is a member of the act, or of an entry that the server
    writes alone.
    """
    return MADE[kind](record, seat, **unusual)


def kid_of(seed: bytes) -> str:
    return keys.thumbprint(keys.public_of(seed))


# --- players ----------------------------------------------------------------------------------------------------------


def _signed(record: Record, kind: str, payload: dict[str, Any], seed: bytes | None, **body: Any) -> Attempt:
    seed = seed or record.seeds.get(payload["seat"]) or record.seeds[0]
    jws = sign_jws(seed, payload)
    return Attempt(kind, {"seat": payload["seat"], "jws": jws, **body}, jws)


def _joined(record: Record, seat: int, *, seed: bytes = STRANGER, recovery: bytes | None = None) -> Attempt:
    brought = {"key": jwk_of(seed), "nonce": bytes(32), "recovery": recovery and jwk_of(recovery)}
    return _signed(record, "joined", acts.join(**record.where(seat), **brought, bot=False), seed, bot=False)


def _taken(record: Record, seat: int, *, seed: bytes = STRANGER, recovery: bytes | None = None) -> Attempt:
    brought = {"key": jwk_of(seed), "recovery": recovery and jwk_of(recovery)}
    return _signed(record, "taken", acts.take(**record.where(seat), **brought, bot=False), seed, bot=False)


def _left(record: Record, seat: int, *, removed: bool = False) -> Attempt:
    if removed:
        return Attempt("left", {"seat": seat, "jws": None})
    return _signed(record, "left", acts.leave(**record.where(seat)), None)


def _moved(
    record: Record, seat: int, *, sealed: bool | None = None, via: str = "", seed: bytes | None = None
) -> Attempt:
    sealed = record.table.hidden if sealed is None else sealed
    what = {"sealed": moves.seal_move(moves.move_text(BID, bytes(32)))} if sealed else {"commands": ROLL}
    if via:
        return Attempt("moved", {"seat": seat, "via": via, **what})
    return _signed(record, "moved", acts.move(**record.where(seat), **what), seed)


def _keyed(record: Record, seat: int, *, seed: bytes | None = None, **what: Any) -> Attempt:
    """`add` and `recovery` are private seeds, `only` a list of them, `drop` is a kid."""
    if not what.keys() & {"only", "recovery"}:
        given = {"drop": what["drop"]} if "drop" in what else {"add": jwk_of(what.get("add", STRANGER))}
        return _signed(record, "keyed", acts.key(**record.where(seat), **given), seed)
    only = [jwk_of(one) for one in what["only"]] if what.get("only") else None
    recovery = jwk_of(what["recovery"]) if what.get("recovery") else None
    return _signed(record, "keyed", acts.replace_keys(**record.where(seat), only=only, recovery=recovery), seed)


def _offered(record: Record, seat: int, *, is_open: bool = True, seed: bytes | None = None) -> Attempt:
    return _signed(record, "offered", acts.offer(**record.where(seat), open_=is_open), seed)


def _resigned(record: Record, seat: int, *, seed: bytes | None = None) -> Attempt:
    return _signed(record, "resigned", acts.resign(**record.where(seat)), seed)


MADE: dict[str, Callable[..., Attempt]] = {
    "joined": _joined,
    "left": _left,
    "moved": _moved,
    "keyed": _keyed,
    "offered": _offered,
    "taken": _taken,
    "resigned": _resigned,
    "started": lambda _record, _seat: Attempt("started", {}),
    "expired": lambda _record, seat: Attempt("expired", {"seat": seat}),
    "granted": lambda _record, seat, seconds=60, why="host": Attempt(
        "granted", {"seats": [seat], "seconds": seconds, "why": why}
    ),
    "restored": lambda record, _seat, more=1: Attempt(
        "restored", {"size": record.table.size + more, "hash": canonical.to_base64url(bytes(32))}
    ),
    "cancelled": lambda _record, _seat: Attempt("cancelled", {"reason": "stopped", "secret": None}),
}


# --- its fate -----------------------------------------------------------------------------------------------


def at_door(record: Record, tried: Attempt) -> None:
    """Check it as a server does before writing anything; Refused or BadRecord if the server would not log it."""
    if tried.jws is not None:
        admission.check_act(record.table, tried.jws, record.now)
    else:
        _compose(record, tried)


def _compose(record: Record, tried: Attempt) -> c.Composed:
    table, body, at = record.table, tried.body, record.at
    if tried.kind == "moved":
        move = body.get("commands") or moves.move_text(BID, bytes(32))
        return c.compose_unsigned(table, record.secret, at, body["seat"], body["via"], move)
    return {
        "left": lambda: removed(table, at, body["seat"]),
        "started": lambda: c.compose_started(table, record.secret, at),
        "expired": lambda: c.compose_expired(table, record.secret, at, body["seat"]),
        "granted": lambda: c.compose_granted(table, at, body["seats"], body["seconds"], body["why"]),
        "restored": lambda: c.compose_restored(table, at, body["size"], bytes(32)),
        "cancelled": lambda: c.compose_cancelled(table, None, at, body["reason"]),
    }[tried.kind]()


def logged(record: Record, tried: Attempt) -> bytes:
    """The bundle with this entry as its last one; if its kind has events, the list is empty."""
    body = {"kind": tried.kind, **tried.body}
    if tried.kind in WITH_EVENTS:
        body |= {"events": [], "state": canonical.to_base64url(bytes(32))}
        body |= {"seals": [canonical.to_base64url(bytes(32))] * (record.table.seats + 1)} if record.table.hidden else {}
    line = canonical.dumps(c._first(record.table, record.at) | body)
    return bundle_of([*record.lines, line])
