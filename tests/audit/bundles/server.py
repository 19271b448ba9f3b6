"""Bundles with an invalid server key, or with a note that the key in entry 0 did not sign."""

from __future__ import annotations

from collections.abc import Iterator

from engine.record.encoding import canonical
from engine.record.signed import keys, note
from tests.audit.bundles.tools import at_start, pig
from tests.kit import second
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, bundle_of


def server() -> Iterator[tuple[str, bytes]]:
    yield from ((f"server-key-{name}", data) for name, data in (*bad_keys(), *bad_notes()))


def bad_keys() -> Iterator[tuple[str, bytes]]:
    """In an entry 0 on which nobody has signed yet; the note is as good as it can be."""
    good, eight = keys.public_of(SERVER_SEED), second.ORDER8
    assert eight is not None
    points = {
        "of-mixed-order": second.mixed(good),
        "that-is-the-identity": second.packed((0, 1)),
        "of-order-2": second.packed(second.times(4, eight)),
        "of-order-8": second.packed(eight),
        "off-the-curve": (2).to_bytes(32, "little"),
        "not-canonical": second.P.to_bytes(32, "little"),
    }
    lines = pig(start=False).lines
    for name, point in points.items():
        yield name, bundle_of(at_start(lines, server_key=canonical.to_base64url(point)))
    yield "of-31-bytes", bundle_of(at_start(lines, server_key=canonical.to_base64url(good[:31])))


def bad_notes() -> Iterator[tuple[str, bytes]]:
    record = pig()
    own, head = record.note(), record.table.head
    others = {
        "another-than-the-notes": note.write(SERVER, GAME_ID, 4, head, OTHER_SEED),
        "of-another-server": note.write("b.example", GAME_ID, 4, head, SERVER_SEED),
        "over-another-number": own.replace("\n4\n", "\n3\n"),
        "over-another-game": note.write(SERVER, GAME_ID[:-1] + "2", 4, head, SERVER_SEED),
        "id-of-another": _with_id(own, keys.public_of(OTHER_SEED)),
    }
    for name, text in others.items():
        yield name, record.bundle().replace(own.encode(), text.encode())
    lines = at_start(pig(start=False).lines, server_key=canonical.to_base64url(keys.public_of(OTHER_SEED)))
    yield "changed-in-entry-0", bundle_of(lines)


def _with_id(text: str, public: bytes) -> str:
    """The true signature under the id of another key."""
    before, _, signed = text[:-1].rpartition(" ")
    data = note.key_id(SERVER, public) + second.base64.b64decode(signed)[4:]
    return f"{before} {second.base64.b64encode(data).decode()}\n"
