"""Evidence: a server's data is on disk before it is judged, and stays there if it does not hold.

    with evidence.judging(when, "log", entries=[...], note="..."):
        ...                                   # DistrustError here: kept for good, and `distrust` says so

A crash or a loss of power meanwhile leaves the file too. A finding outlives the process: as long as the folder has a
file `distrust`, nothing is signed in this game; only a person clears it. The files are bounded in number and bytes,
but those that a finding names are never dropped.
"""

from __future__ import annotations

import io
import json
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from client import atomic_files
from client.errors import DistrustError
from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import keys

MOST_FILES = 32
MOST_BYTES = 2**27


class Examination:
    """Data that is being judged. `keep` keeps it although it has passed, because something cannot be decided yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.keep = False


class FailedCheck(msgspec.Struct):
    """A finding: the first thing that did not hold, its time, and the files that show it."""

    code: str
    says: str
    when: str
    evidence: list[str]


class Evidence:
    """The folder `evidence` of a game, and the finding beside it."""

    def __init__(self, game: Path) -> None:
        self.game = game
        self.folder = game / "evidence"

    @contextmanager
    def judging(self, when: float, what: str, **shown: Any) -> Iterator[Examination]:
        """Keep data while it is judged, and for good if it fails or if judging does not end."""
        case = Examination(self._kept(when, what, shown))
        try:
            yield case
        except DistrustError as distrust:
            self.convict(when, distrust, case.path.name)
            raise
        if not case.keep:
            case.path.unlink(missing_ok=True)

    def convict(self, when: float, distrust: DistrustError, *names: str) -> None:
        """Record a finding: nothing is signed in this game from now on. Later evidence is added to the first
        finding.
        """
        found = self._finding() or FailedCheck(distrust.code, distrust.says, _instant(when), [])
        found.evidence += [name for name in names if name not in found.evidence]
        for name in names:
            atomic_files.force(self.folder / name)
        atomic_files.write(self.game / "distrust", msgspec.json.encode(found))

    def distrust(self) -> DistrustError | None:
        """The current finding, if there is one."""
        found = self._finding()
        return None if found is None else DistrustError(found.code, found.says)

    def clear(self) -> None:
        """Clear the finding after a person has looked at it. The files stay as long as there is room."""
        (self.game / "distrust").unlink(missing_ok=True)

    def names(self) -> list[str]:
        """The files, the oldest first."""
        return sorted(path.name for path in self.folder.glob("*.json"))

    def read(self, name: str) -> dict[str, Any]:
        """Return data of the server: `when` by our clock, `what` it is, and its parts."""
        value: dict[str, Any] = json.loads((self.folder / name).read_bytes())
        return value

    def export(self, path: Path) -> None:
        """Write the evidence into one zip file to show to others, without keys and what only our seat may see.

        Left out are texts of sealed moves, private events, and the reasons for refusing a sealed move, which may
        describe a hand. The server has signed none of these. Unpacked it is a folder like the game's own; data of the
        log is a page of it, {"entries", "note"}.
        """
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as whole:
            for name, data in self._exported():
                whole.writestr(name, data)
        atomic_files.write(path, buffer.getvalue())

    def _exported(self) -> Iterator[tuple[str, bytes]]:
        for name in ("log", "note", "note-ahead", "looks", "warnings", "distrust"):
            data = atomic_files.read(self.game / name)
            if data is not None:
                yield name, data
        yield "signed", b"".join(_signed(atomic_files.read(self.game / "pending")))
        for name in self.names():
            yield f"evidence/{name}", _public((self.folder / name).read_bytes())

    def _finding(self) -> FailedCheck | None:
        data = atomic_files.read(self.game / "distrust")
        return None if data is None else msgspec.json.decode(data, type=FailedCheck)

    def _kept(self, when: float, what: str, shown: dict[str, Any]) -> Path:
        self.folder.mkdir(exist_ok=True, mode=0o700)
        path = self.folder / f"{int(when * 1000):015}-{secrets.token_hex(4)}.json"
        atomic_files.write(
            path, json.dumps({"when": _instant(when), "what": what, **shown}).encode("ascii"), forced=False
        )
        self._make_room(path)
        return path

    def _make_room(self, newest: Path) -> None:
        found = self._finding()
        needed = {newest.name, *(found.evidence if found else ())}
        paths = sorted(self.folder.glob("*.json"))
        count, size = len(paths), sum(path.stat().st_size for path in paths)
        for path in (path for path in paths if path.name not in needed):
            if count <= MOST_FILES and size <= MOST_BYTES:
                return
            count, size = count - 1, size - path.stat().st_size
            path.unlink(missing_ok=True)


def _instant(when: float) -> str:
    """Format a time; a clock before 1970 or after 9999 gives the limit that it passed."""
    return canonical.instant(min(max(int(when), 0), 253402300799))


def _signed(pending: bytes | None) -> Iterator[bytes]:
    """Acts that are signed and not settled, without texts that are still hidden."""
    for act in json.loads(pending or b"[]"):
        yield json.dumps({"jws": act["jws"], "payload": _payload(act["jws"])}).encode("ascii") + b"\n"


def _public(data: bytes) -> bytes:
    """Evidence without what only our seat may see."""
    shown = json.loads(data or b"{}")  # a loss of power may have left the file empty
    is_sealed = "sealed" in (_payload(shown.get("sent")) or {})
    private = {"openings", "problem"} if is_sealed else {"openings"}
    return json.dumps({name: value for name, value in shown.items() if name not in private}).encode("ascii")


def _payload(compact: object) -> dict[str, Any] | None:
    try:
        return keys.read_jws(compact).payload
    except BadRecord:
        return None
