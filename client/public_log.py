"""The public log of a game, read without a token, so that it is harder to show each player a different log.

Everything goes through the checked log (`log.py`). A server that has lost entries, for example after restoring an
older database, gets them from us and must then agree; otherwise it is distrusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from client.errors import DistrustError, HeldUpError, NotSignedError
from client.http import Api, ApiError, FullError, HttpAnswer, NoAnswerError, pause_before
from client.log import CheckedLog, Guard, NoteRelation, as_lines
from client.memory import Memory
from client.pins import Pins
from engine.errors import BadRecord
from engine.kit import count
from engine.record.encoding import canonical
from engine.record.log import bundle
from engine.record.log.entry import Entry
from engine.record.signed import acts, keys, note

LONGEST_WAIT = 25  # seconds for which the server may hold a request; less if it does not hold any that long
MOST_AT_ONCE = 2**26  # bytes of lines that are fetched before any is checked


class PublicLog:
    """One game at one server, and our checked copy of its log."""

    def __init__(
        self,
        api: Api,
        game: str,
        memory: Memory,
        clock: Callable[[], float],
        server_key: bytes | None,
        guard: Guard,
        tell: Callable[[str], None],
    ) -> None:
        self.api = api.as_(None)
        self.game = game
        self.memory = memory
        self._clock = clock
        self._tell = tell
        self._longest = LONGEST_WAIT
        self._shown: set[str] = set()
        self._pins = Pins(memory.folder.parent)
        self.log = CheckedLog(
            api.host, game, memory, clock, server_key, self._data_files, pin=self._pin, guard=guard, tell=tell
        )

    def fetch(self, wait: int = 0) -> list[Entry]:
        """Fetch and check new entries, waiting up to `wait` seconds for them; DistrustError if they do not hold."""
        self.log.check_trust()
        asked, before = self._clock(), list(self.log.entries)
        with self._showing_forks():
            shown = self._take(wait)
            if self.log.note is not None and shown < self.log.note.size:
                self._hand_in(shown)
        self.memory.keep_look(self.log.size, asked)
        return self.log.since(before)

    def take(self, lines: Sequence[bytes], note_text: str) -> None:
        """Check what the server has answered to an act, and store it; DistrustError if it does not hold."""
        with self._showing_forks():
            self.log.take(lines, note_text)

    def heed(self, note_text: str) -> NoteRelation:
        """Check our copy against a checkpoint from elsewhere; DistrustError at a fork."""
        with self._showing_forks(note_text):
            return self.log.heed(note_text)

    def bundle(self) -> bytes:
        """The whole game in one file, as anyone can get it."""
        return self.api.get(f"/v1/games/{self.game}/bundle").content

    def show(self, note_text: str) -> None:
        """Show the server its own checkpoint of more entries than its log has; its answer proves nothing."""
        self._shown.add(note_text)
        with suppress(ApiError):
            self.api.post(f"/v1/games/{self.game}/compare", {"note": note_text})

    # --- forks ------------------------------------------------------------------------------------------------------

    @contextmanager
    def _showing_forks(self, *found: str) -> Iterator[None]:
        """If the server's data does not hold, show it the checkpoints that it has signed: ours, and the one found.

        The evidence is on disk by then. A server that was restored may not know that it has signed two histories; it
        judges the checkpoint again, and stops the game.
        """
        try:
            yield
        except DistrustError:
            kept = self.memory.note(), self.memory.note_ahead(), *found
            for text in dict.fromkeys(filter(None, kept)):
                if text not in self._shown:
                    self._show_fork(text)
            raise

    def _show_fork(self, note_text: str) -> None:
        self._shown.add(note_text)
        try:
            self.api.post(f"/v1/games/{self.game}/compare", {"note": note_text})
        except (ApiError, NoAnswerError) as no:
            self._tell(f"a checkpoint that contradicts the server's log was not shown to the server: {no}")

    # --- the log ----------------------------------------------------------------------------------------------------

    def _take(self, wait: int) -> int:
        """Fetch and check new entries; returns the size in the server's checkpoint."""
        lines, note_text = self._pages(self.log.size, wait)
        self.log.take(lines, note_text, lambda: self._pages(0, 0))
        return note.read(note_text).size

    def _pages(self, start: int, wait: int) -> tuple[list[bytes], str]:
        """The lines from this entry on, and the server's checkpoint."""
        lines: list[bytes] = []
        room = MOST_AT_ONCE
        while room > 0:
            entries, note_text = self._page(start + len(lines) - 1, wait)
            lines += as_lines(entries)
            room -= sum(len(entry) + 100 for entry in entries)
            if not entries or start + len(lines) >= _size(note_text):
                return lines, note_text
        raise NotSignedError("too-large", f"the log has more than {MOST_AT_ONCE} bytes of new entries")

    def _page(self, after: int, wait: int) -> tuple[list[str], str]:
        match self._request_page(after, min(wait, self._longest)).value:
            case {"entries": list(entries), "note": str(note_text)} if all(isinstance(one, str) for one in entries):
                return entries, note_text
        raise NoAnswerError(f"{self.api.url}: the answer is not a page of a log")

    def _request_page(self, after: int, wait: int) -> HttpAnswer:
        """Request a page; if the server cannot hold the request, ask again without, after the pause that it asks
        for.
        """
        where = f"/v1/games/{self.game}/log"
        try:
            return self.api.get(where, after=after, wait=wait)
        except FullError as full:
            self.api.pause(max(1.0, pause_before(0, full)))
            return self.api.get(where, after=after, wait=0)
        except ApiError as no:
            if no.code != "wait-too-long":
                raise
            self._longest = _longest(no)
        return self.api.get(where, after=after, wait=min(wait, self._longest))

    # --- a server that has lost entries -----------------------------------------------------------------------------

    def _hand_in(self, shown: int) -> None:
        """Submit the entries that the server has signed for and does not show; then it must agree with us."""
        kept = self.memory.note()
        assert kept is not None
        if self.log.size < note.read(kept).size:
            self.show(kept)
            raise HeldUpError(f"the server has lost entries from {shown} on, which this machine does not keep either")
        with self.log.judging("shortened-log", entries=[], note=kept, shown=shown) as case:
            taken = self._send_missing(kept, shown)
            now, last = self._take(0), self.log.note
            waits = last is not None and now < last.size  # not if the log states the loss by now
            if waits:
                self._check_waits(now, taken)
                case.keep = True
        if waits:
            raise HeldUpError(f"the server has lost entries from {now} on, and needs the text of another player's move")

    def _send_missing(self, kept: str, shown: int) -> Mapping[str, Any]:
        """Submit the checkpoint first: a server that has seen it waits, and accepts larger submissions."""
        self.show(kept)
        lines = self.log.entries[shown : note.read(kept).size]
        body = {"entries": [entry.line.decode("ascii") for entry in lines], "note": kept, "moves": self._texts(lines)}
        try:
            answer = self.api.post(f"/v1/games/{self.game}/missing", body).value
        except ApiError as no:
            if no.code == "entries-given-up":
                return {}  # the log says so itself, or shows that it is a lie
            if no.code == "too-large":
                lost = count(len(lines), "entry", "entries")
                raise HeldUpError(f"the server has lost {lost}, too large to submit together") from no
            shows = count(shown, "entry", "entries")
            says = f"the server shows {shows}, has signed for more, and refuses the missing ones: {no}"
            raise DistrustError("shortened-log", says) from no
        return answer if isinstance(answer, dict) else {}

    def _texts(self, lines: list[Entry]) -> list[dict[str, Any]]:
        """The texts of our own sealed moves among these entries."""
        texts = self.memory.texts()
        sealed = ((entry.seq, _seal(entry)) for entry in lines if entry.kind == "moved")
        return [{"seq": seq, "text": texts[seal]} for seq, seal in sealed if seal in texts]

    def _check_waits(self, now: int, answer: Mapping[str, Any]) -> None:
        """Judge a server that still has fewer entries than it signed for: only the text of another's sealed move
        excuses it.
        """
        lacks = answer.get("lacks")
        entry = self.log.entries[now]
        if self.log.table.hidden and lacks == now and entry.kind == "moved" and not self._texts([entry]):
            return
        raise DistrustError("shortened-log", f"the server has signed for more entries than the {now} that it shows")

    # --- what entry 0 names -----------------------------------------------------------------------------------------

    def _data_files(self) -> Mapping[str, bytes]:
        return bundle.read(self.bundle()).data

    def _pin(self, public: bytes) -> None:
        document = self._document()
        with self.log.judging("server-keys", server_key=canonical.to_base64url(public), document=document):
            self._pins.check(self.log.host, public, document)

    def _document(self) -> Any:
        """The server's list of its keys; None if it shows none, which proves nothing."""
        try:
            return self.api.get("/.well-known/sealedmove.json").value
        except (ApiError, NoAnswerError):
            return None


def _longest(no: ApiError) -> int:
    """The time for which the server holds a request, from its own answer."""
    facts = no.problem.get("facts")
    most = facts.get("most") if isinstance(facts, dict) else None
    return most if isinstance(most, int) and 0 <= most < LONGEST_WAIT else 0


def _size(note_text: str) -> int:
    """The size in a checkpoint; 0 if it is invalid, which the check of the lines reports."""
    try:
        return note.read(note_text).size
    except BadRecord:
        return 0


def _seal(entry: Entry) -> str | None:
    """The commitment of a sealed move, of any seat."""
    compact = entry.body.get("jws")
    return entry.body.get("sealed") if compact is None else acts.read_act(keys.read_jws(compact)).sealed
