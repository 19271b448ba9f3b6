"""Everything that can be checked when an entry follows a table, each check alone, so that one failure hides no other.

    chain        game, number, prev, a time that does not go back, a kind that may follow now
    signatures   the act in the JWS is this entry, signed with a key of its seat that is in force here
    draws        the keys of public draws hash back to what was shown before, and give what was got
    rules        the engine decides the same events and the same state; the clock plays a default, and not too early
    seals        as many as there are watchers; each over what that watcher saw
    outcome      the game ends exactly here, as the rules say, and shows the secret of entry 0

In a hidden game rules and seals wait for the secret. Nothing of the record reaches the engine but signed commands, and
those of unsigned moves where the game allows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import msgspec

from engine.chance import domain
from engine.errors import BadRecord, EngineFault, Refused, SealedMoveError, Uncertain
from engine.kit import redact
from engine.record import acts, base64url, door, keys, order
from engine.record.door import Signed
from engine.record.entry import Entry
from engine.record.facts import entropy_of
from engine.record.hashes import H
from engine.record.keys import Verify
from engine.record.moves import open_move
from engine.record.options import dump_options
from engine.record.order import Ask
from engine.record.plays import Play, draw_again, encode, keys_shown, lanes, members, play, seal_again
from engine.record.table import Table

EVENTFUL = ("started", "moved", "resigned", "expired")
# member of an entry -> the check that a difference in it fails
_CHECK_OF = {
    "events": "rules", "state": "rules", "seals": "seals", "draws": "draws", "outcome": "outcome", "secret": "outcome",
}  # fmt: skip

T = TypeVar("T")


class Fault(msgspec.Struct, frozen=True):
    """A check that failed, and why."""

    check: str
    error: BadRecord


class Exam:
    """Faults gathered while an entry is examined; `run` keeps the first of each piece of work.

    `seq` is the entry's place in the file: the number that it gives itself may be wrong.
    """

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self.faults: list[Fault] = []

    def run(self, check: str, work: Callable[..., T], *given: object) -> T | None:
        """What the work gives; None if it fails, which is a fault of this check."""
        try:
            return work(*given)
        except SealedMoveError as error:
            self.fail(check, error)
        return None

    def fail(self, check: str, error: SealedMoveError) -> None:
        self.faults.append(Fault(_check_of(error, check), self._named(error)))

    def failed(self, check: str) -> bool:
        return any(fault.check == check for fault in self.faults)

    def _named(self, error: SealedMoveError) -> BadRecord:
        if isinstance(error, Refused):
            return door.as_bad_record(error, self.seq)
        if isinstance(error, (EngineFault, Uncertain)):
            return BadRecord(error.code, f"the engine cannot play this: {error}", self.seq)
        assert isinstance(error, BadRecord)
        return type(error)(error.code, error.says, self.seq)


def _check_of(error: SealedMoveError, check: str) -> str:
    """A fault that shows while another thing is looked at."""
    return {"draws-missing": "draws", "wrong-seal": "seals", "opening-missing": "seals"}.get(error.code, check)


Work = Callable[[], None]


def _at_once(work: Work) -> None:
    work()


def examine_first(entry: Entry, data: Mapping[str, bytes]) -> tuple[Table, list[Fault]]:
    """The table of entry 0, and what is wrong with it; raises what makes the whole record unreadable."""
    table, exam = Table.opened(entry, data), Exam(0)
    exam.run("rules", _check_created, table)
    return table, exam.faults


def _check_created(table: Table) -> None:
    body, meta = table.created, table.game.meta
    if not meta.seats[0] <= body["seats"] <= meta.seats[1]:
        raise BadRecord("bad-seats", f"the game is for {meta.seats[0]} to {meta.seats[1]}")
    table.options.check(table.seats)
    if encode(dump_options(table.options)[0]) != encode(body["options"]) or (
        body["rules"]["data"] is not None and dump_options(table.options)[1] is None
    ):
        raise BadRecord("bad-options", "options stand in full, and an edition only if it is not the house edition")
    if table.rules == meta.rules[1] and body["chance"]["draws"] != meta.draws:
        raise BadRecord("wrong-total", f"the rules make at most {meta.draws} draws, entry 0 commits to another number")
    if body["hidden"] != table.game.hidden(table.options):
        raise BadRecord("wrong-hidden", "entry 0 says the opposite of the rules on whether the game is hidden")


def begin(entry: Entry, data: Mapping[str, bytes] | None = None) -> Table:
    """The table of entry 0; BadRecord says what is wrong with it."""
    table, faults = examine_first(entry, data or {})
    if faults:
        raise faults[0].error
    return table


def follow(table: Table, entry: Entry, opening: Mapping[str, Any] | None = None, secret: bytes | None = None) -> Table:
    """The table after the entry; BadRecord says why it cannot follow. With `secret` a hidden game is decided again."""
    table, faults = examine(table, entry, opening, secret)
    if faults:
        raise faults[0].error
    return table


def examine(
    table: Table,
    entry: Entry,
    opening: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    *,
    signed: Signed | None = None,
    verify: Verify = keys.verify,
    defer: Callable[[Work], None] = _at_once,
) -> tuple[Table, list[Fault]]:
    """The table after the entry, and what is wrong with it. After a fault the table is what the entry claims.

    `secret` is the game's, or None; an entry that ends the game brings it along itself, and there it is judged.
    `signed` is its act, if it was read already; `verify` says whether its signature holds. `defer` takes the work of
    comparing what is written with what the engine made: its faults join the list then, and the table never hangs on it.
    """
    exam, played = Exam(table.size), None
    exam.run("chain", check_link, table, entry)
    signed = exam.run("signatures", check_signed, table, entry, signed, verify)
    _examine_order(exam, table, entry, signed)
    shown = exam.run("outcome", _own_secret, table, entry, exam)
    secret = secret or shown
    if entry.kind in EVENTFUL:
        exam.run("draws", check_draws, table, entry)
        played = exam.run("rules", _decide, table, entry, signed, opening, secret)
        defer(partial(_check_written, exam, table, entry, played, opening, secret))
    if exam.faults and not _makes_sense(table, entry):
        return msgspec.structs.replace(table, size=table.size + 1, head=entry.hash, at=entry.at), exam.faults
    known, hidden_next = (played.state, played.hidden_next) if played else (None, None)
    return table.noted(entry, known, hidden_next, signed), exam.faults


def _check_written(
    exam: Exam,
    table: Table,
    entry: Entry,
    played: Play | None,
    opening: Mapping[str, Any] | None,
    secret: bytes | None,
) -> None:
    """What the entry says of its events against what the engine made of it."""
    written = {name: encode(entry.body[name]) for name in _CHECK_OF if name in entry.body}
    expected = _expected(table, entry, played, secret) if played else {}
    if table.hidden and written["events"] != expected.get("events"):
        exam.run("rules", check_events, table, entry)
    exam.run("seals", _check_seals, table, entry, opening, secret)
    if played and written != expected:
        _compare(exam, written, expected)


def _makes_sense(table: Table, entry: Entry) -> bool:
    """Can a faulty entry's facts be noted, so that the checks after it find more than its consequences?"""
    seat = entry.body.get("seat")
    if entry.kind == "created" or (seat is not None and seat >= table.seats):
        return False
    if entry.kind in ("left", "keyed", "offered", "taken") and table.occupants[entry.body["seat"]] is None:
        return False
    return entry.kind not in ("joined", "keyed", "offered", "taken") or _is_readable(entry)


def _is_readable(entry: Entry) -> bool:
    signed = _unverified(entry)
    return signed is not None and signed.act.act == acts.ACT_OF[entry.kind]


# --- chain and signatures -------------------------------------------------------------------------------------------


def check_link(table: Table, entry: Entry) -> None:
    """The entry is of this game, has the next number, names the last entry and is not dated before it."""
    if entry.kind == "created":
        raise BadRecord("bad-first", "entry 0, and no other, is of kind created")
    if entry.game != table.game_id:
        raise BadRecord("wrong-game", "the entry is of another game")
    if entry.seq != table.size:
        raise BadRecord("wrong-seq", f"entry {table.size} is due here")
    if entry.prev != table.head:
        raise BadRecord("broken-chain", "prev is not the hash of the entry before")
    if entry.at < table.at:
        raise BadRecord("time-goes-back", f"{entry.at} lies before {table.at}, the time of the entry before")


def check_signed(
    table: Table, entry: Entry, signed: Signed | None = None, verify: Verify = keys.verify
) -> Signed | None:
    """The act that the entry logs; None if the server alone wrote it."""
    compact = entry.body.get("jws")
    if compact is None:
        return None
    signed = signed or door.read_signed(compact)
    acts.check_fits(signed.act, entry, server=table.server, hidden=table.hidden)
    door.check_signer(table, signed, verify)
    return signed


def _examine_order(exam: Exam, table: Table, entry: Entry, signed: Signed | None) -> None:
    """The entry may follow: the rules of `order`, by check. Of an act that cannot be read, those of the chain alone."""
    ask = _ask(entry, signed)
    unread = signed is None and entry.body.get("jws") is not None
    nowhere = max(ask.seats, default=0) >= table.seats
    if not unread and not nowhere and order.is_kept(table, ask):
        return
    for check in ("chain",) if unread or nowhere else ("chain", "signatures", "rules"):
        exam.run(check, order.check, table, ask, order.of_check(entry.kind, check))


def _ask(entry: Entry, signed: Signed | None) -> Ask:
    """What the entry wants. What an act says counts for the chain also where its signature fails."""
    body, signed = entry.body, signed or _unverified(entry)
    seats = body["seats"] if entry.kind == "granted" else (body["seat"],) if "seat" in body else ()
    act, kid = (signed.act, signed.jws.kid) if signed else (None, "")
    return Ask(entry.kind, tuple(seats), act, kid, entry.time, "sealed" in body)


def _unverified(entry: Entry) -> Signed | None:
    try:
        return door.read_signed(entry.body["jws"]) if entry.body.get("jws") else None
    except BadRecord:
        return None


# --- draws ----------------------------------------------------------------------------------------------------------


def check_draws(table: Table, entry: Entry) -> None:
    """What the entry drew in public follows from keys that were fixed before anybody joined."""
    draws = entry.body.get("draws")
    if draws is None:
        return
    last, total = draws["first"] + len(draws["got"]) - 1, table.created["chance"]["draws"]
    if draws["first"] != table.draw:
        raise BadRecord("wrong-first", f"draw {table.draw} is the next, not {draws['first']}")
    if last > total:
        raise BadRecord("draws-used-up", f"entry 0 commits to {total} draws")
    shown = keys_shown(draws)
    if H(domain("link") + draws["first"].to_bytes(8, "big") + shown[-1]) != table.shown:
        raise BadRecord("wrong-key", "the key of the draws does not hash back to the one shown before")
    mixed = entropy_of(table)
    for d, (n, result) in enumerate(draws["got"], draws["first"]):
        if draw_again(shown[last - d], mixed, d, n) != result:
            raise BadRecord("wrong-draw", f"draw {d} from {n} does not give {result}")


# --- rules ----------------------------------------------------------------------------------------------------------


def check_events(table: Table, entry: Entry) -> None:
    """Public events of a hidden game are events of the rules that tell no secret, whoever decided them."""
    for number, event in enumerate(table.load_events(entry.body["events"])):
        if encode(redact(event, None)) != encode(entry.body["events"][number]):
            raise BadRecord("told-secret", f"event {number} tells more than anybody may know, or is spelled otherwise")


def _decide(
    table: Table, entry: Entry, signed: Signed | None, opening: Mapping[str, Any] | None, secret: bytes | None
) -> Play | None:
    """The engine's own play of the entry; None where it cannot be known yet, or nobody is there to play."""
    if entry.body.get("seat", 0) >= table.seats:
        return None
    decidable = secret if table.hidden else True
    if not decidable or (table.state is None and entry.kind != "started"):
        return None
    commands = _commands(table, entry, signed, opening) if entry.kind == "moved" else None
    chance, hidden = lanes(table, secret, entry.body.get("draws"))
    return play(table, entry.kind, entry.body.get("seat"), commands, chance, hidden)


def _commands(table: Table, entry: Entry, signed: Signed | None, opening: Mapping[str, Any] | None) -> list[Any]:
    """The signed commands, or those that the server attests."""
    act = signed.act if signed else None
    if not table.hidden:
        commands = act.commands if act else entry.body.get("commands")
        if commands is None:
            raise BadRecord("no-commands", "the move cannot be decided again, for its act cannot be read")
        return commands
    sealed = act.sealed if act else entry.body.get("sealed")
    if opening is None or opening["move"] is None:
        raise BadRecord("opening-missing", "the text of the sealed move is missing")
    return open_move(opening["move"], sealed or "")


# --- seals ----------------------------------------------------------------------------------------------------------


def _check_seals(table: Table, entry: Entry, opening: Mapping[str, Any] | None, secret: bytes | None) -> None:
    """A seal for every seat and one for the full list, in a hidden game and only there; the last over the opening."""
    seals = entry.body.get("seals")
    if (seals is not None) != table.hidden:
        raise BadRecord("wrong-seals", "seals belong to every entry with events of a hidden game, and to no other")
    if seals is None:
        return
    if len(seals) != table.seats + 1:
        raise BadRecord("wrong-seals", f"{table.seats + 1} seals are due, not {len(seals)}")
    if opening is not None and secret is not None:
        _check_is(entry, table.seats, seal_again(secret, entry.seq, table.seats, encode(opening["events"])))


def _check_is(entry: Entry, watcher: int, seal: str) -> None:
    if seal != entry.body["seals"][watcher]:
        raise BadRecord("wrong-seal", f"the seal of watcher {watcher} is not over these events", entry.seq)


# --- what the engine made, against what is written ------------------------------------------------------------------


def _own_secret(table: Table, entry: Entry, exam: Exam) -> bytes | None:
    """Judged once: a chain is up to a million hashes, and a forger may show a secret in each of his entries."""
    text = entry.body.get("secret")
    if text is None or table.secret is not None or exam.failed("chain"):
        return None
    secret = base64url.decode(text, 32)
    if not table.chain_fits(secret):
        raise BadRecord("wrong-secret", "the secret is not the one that entry 0 commits to")
    return secret


def _expected(table: Table, entry: Entry, played: Play, secret: bytes | None) -> dict[str, bytes]:
    expected = members(table, entry.seq, played, secret, _shown_key(entry))
    if secret is None and "secret" in expected:
        expected["secret"] = encode(entry.body.get("secret"))  # judged by _own_secret
    return expected


def _compare(exam: Exam, written: Mapping[str, bytes], expected: Mapping[str, bytes]) -> None:
    for name, check in _CHECK_OF.items():
        if written.get(name) != expected.get(name):
            exam.fail(check, _difference(name, written.get(name), expected.get(name)))


def _shown_key(entry: Entry) -> bytes | None:
    draws = entry.body.get("draws")
    return base64url.decode(draws["key"], 32) if draws else None


def _difference(name: str, written: bytes | None, expected: bytes | None) -> BadRecord:
    if expected is None:
        return BadRecord(f"unexpected-{name}", f"the entry has {name}, and by the rules it has none")
    if written is None:
        return BadRecord(f"{name}-missing", f"by the rules the entry has {name}")
    return BadRecord(f"wrong-{name}", f"{name}: the engine comes to something else than the entry says")
