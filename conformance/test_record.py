"""The record: the installed engine reads, refuses and computes what the test vectors say."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from conformance.vector_files import FOLDER, load, read
from engine import chance, registry
from engine.errors import BadRecord, NewerRecord
from engine.record.audit import audit, consistency
from engine.record.compose import decision
from engine.record.encoding import canonical
from engine.record.log import bundle, entry
from engine.record.signed import acts, keys, moves, note, server_keys

FILES = {path.stem: load(path.stem) for path in FOLDER.glob("*.json")}
VALUES = FILES["values"]
unhex = bytes.fromhex
PLAYER, SERVER = (keys.public_of(bytes([one]) * 32) for one in (1, 9))


def _text(case: dict[str, Any]) -> str:
    return read(case["input"]).decode("utf-8")


def _jws(case: dict[str, Any]) -> None:
    signed = keys.read_jws(_text(case))
    signed.verify(PLAYER)
    acts.read_act(signed)


def _ed25519(case: dict[str, Any]) -> None:
    key = unhex(case["input"])
    if not keys.verify(key, unhex(case["message"]), unhex(case["signature"])):
        raise BadRecord("bad-signature", "")


def _entry(case: dict[str, Any]) -> None:
    line = read(case["input"])
    assert entry.write_entry(entry.read_entry(line).body).line == line


def _bundle(case: dict[str, Any]) -> None:
    found = bundle.read(read(case["input"]))
    assert bundle.write(found.lines, found.note, found.openings, found.data.items()) == read(case["input"])


def _note(case: dict[str, Any]) -> None:
    note.verify(note.read(_text(case)), SERVER)


def _mail(case: dict[str, Any]) -> None:
    """Mails have no code; the number of notes found in them counts."""
    assert note.find(case["input"]) == case["notes"]


RUN: dict[str, Callable[[dict[str, Any]], object]] = {
    "lines": lambda case: canonical.loads(read(case["input"])),
    "entries": _entry,
    "base64url": lambda case: canonical.from_base64url(_text(case), 32),
    "sent": lambda case: canonical.loads_sent(read(case["input"])),
    "jws": _jws,
    "keys": lambda case: keys.parse_jwk(json.loads(_text(case))),
    "ed25519": _ed25519,
    "moves": lambda case: moves.open_move(_text(case), case["sealed"]),
    "notes": _note,
    "notes-in-mail": _mail,
    "server-keys": lambda case: server_keys.read(json.loads(_text(case))),
    "bundle-form": _bundle,
}
CASES = [(file, case) for file in RUN for case in FILES[file]["cases"]]


@pytest.mark.parametrize(("file", "case"), CASES, ids=[f"{file}: {case['name']}" for file, case in CASES])
def test_each_case_is_accepted_or_refused_with_its_code(file: str, case: dict[str, Any]) -> None:
    """Anyone who runs the files must come to the same verdicts."""
    assert _verdict(file, case) == case.get("code")


def _verdict(file: str, case: dict[str, Any]) -> str | None:
    try:
        RUN[file](case)
    except NewerRecord:
        return "newer-record"
    except BadRecord as error:
        return error.code
    return None


@pytest.mark.parametrize("case", FILES["ed25519"]["cases"], ids=lambda case: case["name"])
def test_a_key_off_the_prime_order_subgroup_cannot_be_registered(case: dict[str, Any]) -> None:
    """Keys on which verifiers disagree never reach a record."""
    try:
        keys.check_point(unhex(case["input"]))
        sound = True
    except BadRecord:
        sound = False
    assert sound == case["key_ok"]


@pytest.mark.parametrize("row", VALUES["labels"], ids=lambda row: f"{row['label']} {row['a']} {row['b']}")
def test_keys_are_derived_by_label_and_two_numbers(row: dict[str, Any]) -> None:
    """K(x, a, b)."""
    assert chance.derive(unhex(row["secret"]), row["label"], row["a"], row["b"]).hex() == row["key"]


def test_the_chain_is_walked_backwards() -> None:
    """L(d) from the secret, and each older link from a newer one."""
    links = VALUES["chain"]["links"]
    secret, total = unhex(VALUES["chain"]["secret"]), VALUES["chain"]["draws"]
    assert [chance.chain_key(secret, total, link["d"]).hex() for link in links] == [link["key"] for link in links]
    for newer in links:
        for older in links:
            if older["d"] <= newer["d"]:
                assert chance.link_back(unhex(newer["key"]), newer["d"], older["d"]).hex() == older["key"]


@pytest.mark.parametrize("row", VALUES["entropy"], ids=lambda row: f"{len(row['seats'])} seats")
def test_entropy_mixes_the_nonces_of_the_seats(row: dict[str, Any]) -> None:
    """E, for any order of the seats."""
    seats = [(unhex(seat["thumbprint"]), unhex(seat["nonce"])) for seat in row["seats"]]
    assert chance.entropy(unhex(row["created"]), seats).hex() == row["entropy"]


@pytest.mark.parametrize("row", VALUES["draws"], ids=lambda row: f"{row['lane']} {row['d']} of {row['n']}")
def test_draws_give_their_results(row: dict[str, Any]) -> None:
    """The result of draw d from n."""
    assert chance.draw(unhex(row["key"]), unhex(row["entropy"]), row["d"], row["n"]) == row["result"]


@pytest.mark.parametrize("row", VALUES["keys"], ids=lambda row: row["kid"])
def test_a_seed_gives_a_key_and_its_thumbprint(row: dict[str, Any]) -> None:
    """JWK (RFC 8037) and kid (RFC 7638)."""
    public = keys.public_of(unhex(row["seed"]))
    assert keys.jwk(public) == row["jwk"]
    assert keys.thumbprint(public) == row["kid"]
    assert keys.parse_jwk(row["jwk"]) == public


@pytest.mark.parametrize("row", VALUES["signatures"], ids=lambda row: row["public"][:8])
def test_signatures_are_those_of_rfc_8032(row: dict[str, Any]) -> None:
    """Section 7.1, tests 1 to 3."""
    seed, message = unhex(row["seed"]), unhex(row["message"])
    assert keys.public_of(seed).hex() == row["public"]
    assert keys.sign(seed, message).hex() == row["signature"]
    assert keys.verify(unhex(row["public"]), message, unhex(row["signature"]))


def test_moves_are_sealed() -> None:
    """The seal of a text, byte for byte."""
    for row in VALUES["moves"]:
        assert moves.seal_move(row["text"]) == row["sealed"]


def test_seals_and_states_commit_with_salts_of_their_entry() -> None:
    """One seal for each view; one commitment for the state, salted in a hidden game."""
    for row in VALUES["seals"]:
        assert decision.seals(unhex(row["secret"]), row["seq"], row["views"]) == row["seals"]
    for row in VALUES["states"]:
        secret = unhex(row["secret"]) if row["secret"] else None
        assert decision.state_hash(decision.state_salt(secret, row["seq"]), row["state"]) == row["hash"]


def test_the_hash_of_an_entry_is_its_leaf_hash() -> None:
    """RFC 6962, section 2.1."""
    for row in VALUES["leaves"]:
        assert canonical.leaf(row["line"].encode()).hex() == row["hash"]


def test_notes_are_signed() -> None:
    """The whole text of a note, which is also read back."""
    for row in VALUES["notes"]:
        text = note.write(row["server"], row["game"], row["size"], unhex(row["head"]), unhex(row["seed"]))
        assert text == row["note"]
        found = note.read(text)
        assert (found.server, found.game, found.size, found.hash.hex()) == (
            row["server"],
            row["game"],
            row["size"],
            row["head"],
        )


def test_the_secret_at_rest_is_derived_from_the_master_key() -> None:
    """S = M(master, D("master") | r), and the seed of the server's key n = M(master, D("server") | n | 0)."""
    row = VALUES["secrets"]
    master, r = unhex(row["master"]), unhex(row["r"])
    assert canonical.M(master, chance.domain("master") + r).hex() == row["secret"]
    for n, seed in enumerate(row["server_seeds"], 1):
        assert chance.derive(master, "server", n, 0).hex() == seed


@pytest.mark.parametrize("pair", FILES["server-keys"]["pairs"], ids=lambda pair: pair["name"])
def test_a_list_of_server_keys_continues_the_one_that_was_known(pair: dict[str, Any]) -> None:
    """It may add later keys, but removes and replaces none."""
    known, shown = server_keys.read(pair["known"]), server_keys.read(pair["shown"])
    assert server_keys.continues(known, shown) == pair["accepted"]


@pytest.mark.parametrize("case", FILES["compare"]["cases"], ids=lambda case: case["name"])
def test_two_holdings_of_a_game_are_compared(case: dict[str, Any]) -> None:
    """The relation, and the two texts that prove a fork."""
    texts = FILES["compare"]["texts"]
    found = consistency.compare(_holding(case["first"], texts), _holding(case["second"], texts))
    assert (found.relation, found.at) == (case["relation"], case["at"])
    assert found.proof == (case["proof"] and tuple(texts[name] for name in case["proof"]))


def _holding(named: dict[str, list[str]], texts: dict[str, str]) -> consistency.Holding:
    lines, notes = ([texts[name] for name in named[part]] for part in ("lines", "notes"))
    if not lines:
        return consistency.of_note("a note", notes[0])
    data = [line.encode() for line in lines]
    return consistency.of_lines("a log", data, entry.read_entry(data[0]), notes)


VERDICTS = load("bundles/verdicts")


def game_of(name: str) -> str:
    """The game of a whole bundle."""
    return str(json.loads(bundle.read((FOLDER / "bundles" / name).read_bytes()).lines[0])["rules"]["game"])


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [name for name in VERDICTS if name.startswith("good/") and game_of(name) in registry.games()]
)
def test_a_bundle_of_an_installed_game_gets_its_verdict(name: str) -> None:
    """Good ones from every stage of a game, also of older versions."""
    report = audit((FOLDER / "bundles" / name).read_bytes())
    assert (report.verdict, report.stage) == (VERDICTS[name]["verdict"], VERDICTS[name]["stage"])
