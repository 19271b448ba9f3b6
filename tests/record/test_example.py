"""The example of the specification, judged by the second implementation as a stranger would judge it."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit import second
from tests.kit.vectors.cases import unpadded
from tests.kit.vectors.example import FILE, example

SPEC = Path(__file__).parents[2] / "docs" / "spec" / "record.md"
TEXT = FILE.read_text("utf-8")
LINES = TEXT.split("\n\n")[0].encode().split(b"\n")[1:]
ENTRIES: list[dict[str, Any]] = [json.loads(line) for line in LINES]
SECRET = unpadded(ENTRIES[-1]["secret"])


def _signed() -> list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Entries with the header and payload of their JWS."""
    return [(e, *(json.loads(unpadded(p)) for p in e["jws"].split(".")[:2])) for e in ENTRIES if "jws" in e]


def _entropy() -> bytes:
    joins = [(unpadded(header["kid"]), unpadded(payload["nonce"])) for _, header, payload in _signed()[:2]]
    return second.entropy(second.leaf(LINES[0]), joins)


def test_the_specification_quotes_the_bundle() -> None:
    """The first thing that a reader sees is real."""
    assert f"```\n{TEXT}```\n" in SPEC.read_text("utf-8")


def test_the_bundle_is_what_the_project_writes() -> None:
    """The same game, played again, gives the same file."""
    assert example().bundle() == FILE.read_bytes()


def test_the_chain_holds() -> None:
    """Each line is canonical and names the one before."""
    assert [second.canonical(entry) for entry in ENTRIES] == LINES
    hashes = [bytes(32), *map(second.leaf, LINES)]
    assert [unpadded(entry["prev"]) for entry in ENTRIES] == hashes[:-1]


@pytest.mark.parametrize("at", range(4))
def test_each_act_is_signed_by_its_seat(at: int) -> None:
    """For the place in which it is logged, with the key that joined."""
    entry, header, payload = _signed()[at]
    key = next(unpadded(p["key"]["x"]) for e, _, p in _signed() if e["seat"] == entry["seat"])
    first, signature = entry["jws"].rsplit(".", 1)
    assert second.b64(second.thumbprint(key)) == header["kid"]
    assert second.verify(key, first.encode(), unpadded(signature))
    assert [payload[name] for name in ("seat", "seq", "prev", "game")] == [
        entry[name] for name in ("seat", "seq", "prev", "game")
    ]


def test_the_dice_were_fixed_before_anybody_joined() -> None:
    """The keys come from the secret, match the commitment, and give the same results."""
    links = second.chain(SECRET, ENTRIES[0]["chance"]["draws"])
    assert second.b64(links[0]) == ENTRIES[0]["chance"]["chain"]
    shown = [entry["draws"] for entry in ENTRIES if "draws" in entry]
    for d, draws in enumerate(shown, 1):
        assert (draws["first"], unpadded(draws["key"])) == (d, links[d])
        assert second.draw(links[d], _entropy(), d, 6)[0] == draws["got"][0][1]
    assert len(shown) == 2


def test_the_state_is_the_one_in_the_specification() -> None:
    """The specification contains the first state in canonical form."""
    state = {"goal": 5, "rules": 1, "scores": [0, 0], "seats": 2}
    assert second.canonical(state).decode() in SPEC.read_text("utf-8")
    assert ENTRIES[3]["state"] == second.state(None, 3, state)


def test_the_note_names_the_last_entry() -> None:
    """It is signed with the key that entry 0 names."""
    note = TEXT.split("\n\n", 1)[1][:-1]
    text, line = note.split("\n\n")
    head = second.leaf(LINES[-1])
    assert text.split("\n") == [f"games.example/game/{ENTRIES[0]['game']}", "6", base64.b64encode(head).decode()]
    signed = base64.b64decode(line.split(" ")[2])
    assert second.verify(unpadded(ENTRIES[0]["server_key"]), f"{text}\n".encode(), signed[4:])
