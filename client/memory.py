"""A player's files of one game, in a folder; the folder above has the known keys of servers (`pins.py`).

    log         the entries as they were checked        note        the last note that held
    note-ahead  a note of more entries than were shown  nonce       the one nonce of this game
    pending     acts signed and not settled             texts       texts of own sealed moves
    looks       what was seen when, by our clock        warnings    what was said about times
    evidence/   what was shown, while it is judged      distrust    why nothing is signed any more
    lock        held while `pending` is changed

Losing them costs only safety: entries can be fetched again, but only the checkpoint proves that they are the same.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from client import atomic_files, folders
from client.evidence import Evidence
from client.signing import Signed
from engine.record.signed.moves import seal_move

PROOFS = ("note", "note-ahead", "distrust", "evidence")
MOST_LOOKS = 64
MOST_WARNINGS = 2**16


class Pending(msgspec.Struct):
    """An act that was signed for a place that is still empty. `sent` is the time of the first sending, by our clock.

    `refused` is the code with which the server refused it although the rules may allow it; None without an answer.
    """

    jws: str
    sent: float
    text: str | None = None
    refused: str | None = None

    @property
    def signed(self) -> Signed:
        return Signed(self.jws, self.text)


class Observation(msgspec.Struct, array_like=True):
    """The times of the first and the last look, by our clock, at which the log had `size` entries."""

    size: int
    first: float
    last: float


class Memory:
    """The folder of one game, which only its owner can read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folders.make_private(folder)
        self.evidence = Evidence(folder)

    def forget(self) -> None:
        """Delete everything but the checkpoints and the evidence, which prove a rewritten log."""
        for path in self.folder.iterdir():
            if path.name not in PROOFS:
                path.unlink()

    # --- the log ----------------------------------------------------------------------------------------------------

    def nonce(self) -> bytes:
        """The only nonce of this game, 32 random bytes, stored before it is first sent."""
        path = self.folder / "nonce"
        if not path.exists():
            with suppress(FileExistsError):  # another process has made it meanwhile
                atomic_files.create(path, secrets.token_bytes(32).hex().encode())
        return bytes.fromhex(path.read_text())

    def note(self) -> str | None:
        """The last checkpoint that held."""
        return self._text("note")

    def keep_note(self, text: str) -> None:
        atomic_files.write(self.folder / "note", text.encode())

    def note_ahead(self) -> str | None:
        """A valid checkpoint of more entries than the server has shown: the log must reach it."""
        return self._text("note-ahead")

    def keep_note_ahead(self, text: str) -> None:
        atomic_files.write(self.folder / "note-ahead", text.encode())

    def drop_note_ahead(self) -> None:
        (self.folder / "note-ahead").unlink(missing_ok=True)

    def lines(self) -> list[bytes]:
        """The checked entries, oldest first."""
        return atomic_files.whole_lines(self.folder / "log")

    def keep_lines(self, lines: list[bytes]) -> None:
        """Add checked entries. A line that a crash cut off is dropped when the log is read, and fetched again."""
        atomic_files.append(self.folder / "log", lines)

    def replace_lines(self, lines: list[bytes]) -> None:
        """Put another log in the place of the stored one, completely or not at all."""
        atomic_files.write(self.folder / "log", b"".join(line + b"\n" for line in lines))

    # --- what was signed --------------------------------------------------------------------------------------------

    def pending(self) -> list[Pending]:
        """Signed acts that are not settled: without an answer, or refused although they may be allowed. Oldest
        first.
        """
        kept = atomic_files.read(self.folder / "pending")
        return [] if kept is None else msgspec.json.decode(kept, type=list[Pending])

    @contextmanager
    def changing_pending(self) -> Iterator[list[Pending]]:
        """The pending acts, to be changed in place: stored at the end of the block, for which other processes wait."""
        with atomic_files.locked(self.folder / "lock"):
            acts, before = self.pending(), self.pending()
            yield acts
            if acts != before:
                self._keep_pending(acts)

    def _keep_pending(self, acts: list[Pending]) -> None:
        if acts:
            atomic_files.write(self.folder / "pending", msgspec.json.encode(acts))
        else:
            (self.folder / "pending").unlink(missing_ok=True)

    def texts(self) -> dict[str, str]:
        """Texts of our sealed moves by their commitments: a server that has lost entries needs them again."""
        lines = (line.decode("ascii") for line in atomic_files.whole_lines(self.folder / "texts"))
        return {seal_move(text): text for text in lines}

    def keep_text(self, text: str) -> None:
        if seal_move(text) not in self.texts():
            atomic_files.append(self.folder / "texts", [text.encode("ascii")])

    # --- what was seen when -----------------------------------------------------------------------------------------

    def looks(self) -> list[Observation]:
        kept = atomic_files.read(self.folder / "looks")
        return [] if kept is None else msgspec.json.decode(kept, type=list[Observation])

    def keep_look(self, size: int, when: float) -> None:
        """Record that the server showed this many entries at this time of our clock."""
        looks = self.looks()
        if looks and looks[-1].size == size and when < looks[-1].last + 1:
            return
        if looks and looks[-1].size == size:
            looks[-1].last = max(looks[-1].last, when)
        else:
            looks.append(Observation(size, when, when))
        atomic_files.write(self.folder / "looks", msgspec.json.encode(looks[-MOST_LOOKS:]), forced=False)

    def warnings(self) -> list[str]:
        return [line.decode() for line in atomic_files.whole_lines(self.folder / "warnings")]

    def keep_warning(self, text: str) -> bool:
        """Add a warning; returns whether it is new. The oldest are dropped when there are too many."""
        kept = self.warnings()
        if text in kept:
            return False
        data = "".join(f"{line}\n" for line in [*kept, text]).encode()[-MOST_WARNINGS:]
        atomic_files.write(self.folder / "warnings", data)
        return True

    def _text(self, name: str) -> str | None:
        kept = atomic_files.read(self.folder / name)
        return None if kept is None else kept.decode()
