"""Checks of one entry against the table before it. Each raises BadRecord if it fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.chance import domain
from engine.errors import BadRecord
from engine.kit import redact
from engine.record.compose.decision import draw_again, encode, keys_shown, seal_again
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H
from engine.record.laws import admission
from engine.record.log.entry import Entry
from engine.record.log.fold import entropy_of
from engine.record.log.options import dump_options
from engine.record.log.table import Table
from engine.record.signed import acts, keys
from engine.record.signed.acts import SignedAct
from engine.record.signed.keys import Verify


def check_created(table: Table) -> None:
    """Entry 0 is one that the rules allow, with its options in full."""
    body, meta = table.created, table.game.meta
    if not meta.seats[0] <= body["seats"] <= meta.seats[1]:
        raise BadRecord("bad-seats", f"the game has {meta.seats[0]} to {meta.seats[1]} seats, not {body['seats']}")
    table.options.check(table.seats)
    if encode(dump_options(table.options)[0]) != encode(body["options"]) or (
        body["rules"]["data"] is not None and dump_options(table.options)[1] is None
    ):
        raise BadRecord(
            "bad-options", "options must be complete, and an edition is named only if it is not the house edition"
        )
    if table.rules == meta.rules[1] and body["chance"]["draws"] != meta.draws:
        raise BadRecord(
            "wrong-total", f"the rules make at most {meta.draws} draws, but entry 0 commits to another number"
        )
    if body["hidden"] != table.game.hidden(table.options):
        raise BadRecord("wrong-hidden", "entry 0 and the rules disagree on whether the game is hidden")


def check_link(table: Table, entry: Entry) -> None:
    """The entry belongs to this game, has the next number, names the last entry and is not dated before it."""
    if entry.kind == "created":
        raise BadRecord("bad-first", "entry 0, and no other, has the kind created")
    if entry.game != table.game_id:
        raise BadRecord("wrong-game", "the entry belongs to another game")
    if entry.seq != table.size:
        raise BadRecord("wrong-seq", f"expected entry {table.size}, found entry {entry.seq}")
    if entry.prev != table.head:
        raise BadRecord("broken-chain", "prev is not the hash of the entry before")
    if entry.at < table.at:
        raise BadRecord("time-goes-back", f"{entry.at} is earlier than {table.at}, the time of the entry before")


def check_signed(
    table: Table, entry: Entry, signed: SignedAct | None = None, verify: Verify = keys.verify
) -> SignedAct | None:
    """The act that the entry logs; None if the server alone wrote it."""
    compact = entry.body.get("jws")
    if compact is None:
        return None
    signed = signed or acts.read_signed(compact)
    admission.check_fits(signed.act, entry, server=table.server, hidden=table.hidden)
    admission.check_signer(table, signed, verify)
    return signed


def check_draws(table: Table, entry: Entry) -> None:
    """The public draws of the entry follow from keys that were fixed before anybody joined."""
    draws = entry.body.get("draws")
    if draws is None:
        return
    last, total = draws["first"] + len(draws["got"]) - 1, table.created["chance"]["draws"]
    if draws["first"] != table.draw:
        raise BadRecord("wrong-first", f"the next draw is {table.draw}, not {draws['first']}")
    if last > total:
        raise BadRecord("draws-used-up", f"entry 0 commits to {total} draws")
    shown = keys_shown(draws)
    if H(domain("link") + draws["first"].to_bytes(8, "big") + shown[-1]) != table.shown:
        raise BadRecord("wrong-key", "the key of the draws does not hash back to the one shown before")
    mixed = entropy_of(table)
    for d, (n, result) in enumerate(draws["got"], draws["first"]):
        if draw_again(shown[last - d], mixed, d, n) != result:
            raise BadRecord("wrong-draw", f"draw {d} from {n} does not give {result}")


def own_secret(table: Table, entry: Entry) -> bytes | None:
    """The secret that the entry shows, None if it shows none or one was shown before.

    Checked once: a chain is up to a million hashes, and a forger may show a secret in every entry.
    """
    text = entry.body.get("secret")
    if text is None or table.secret is not None:
        return None
    secret = canonical.from_base64url(text, 32)
    if not table.chain_fits(secret):
        raise BadRecord("wrong-secret", "the secret is not the one that entry 0 commits to")
    return secret


def check_events(table: Table, entry: Entry) -> None:
    """Public events of a hidden game are events of the rules and contain no secret, whoever decided them."""
    for number, event in enumerate(table.load_events(entry.body["events"])):
        if encode(redact(event, None)) != encode(entry.body["events"][number]):
            raise BadRecord(
                "told-secret", f"event {number} reveals something hidden, or is not spelled as the rules spell it"
            )


def check_seals(table: Table, entry: Entry, opening: Mapping[str, Any] | None, secret: bytes | None) -> None:
    """A seal for every seat and one for the full list, in a hidden game and only there; the last over the opening."""
    seals = entry.body.get("seals")
    if (seals is not None) != table.hidden:
        raise BadRecord("wrong-seals", "every entry with events of a hidden game must have seals, and no other entry")
    if seals is None:
        return
    if len(seals) != table.seats + 1:
        raise BadRecord("wrong-seals", f"expected {table.seats + 1} seals, found {len(seals)}")
    if opening is not None and secret is not None:
        _check_is(entry, table.seats, seal_again(secret, entry.seq, table.seats, encode(opening["events"])))


def _check_is(entry: Entry, watcher: int, seal: str) -> None:
    if seal != entry.body["seals"][watcher]:
        raise BadRecord("wrong-seal", f"the seal of watcher {watcher} does not commit to these events", entry.seq)
