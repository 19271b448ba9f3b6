"""One player's hand at one table: join, look, move. Signs only upon a log that it has checked itself.

    player = Player(session.api, game_id, key, Memory(folder))
    player.join()
    while player.wait():
        choice = player.legal()[0]
        player.move([choice["command"]])

What was signed and not yet answered is kept on disk and sent again, byte for byte, by whatever is done next. An answer
that came too late, but would mean the same now, is signed again upon the new head: same commands, same salt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from client import openings, signing
from client.http import Answer, Api, ApiError
from client.keys import Key
from client.log import CheckedLog, DistrustError, as_lines
from client.memory import Memory
from client.signing import Place, Signed
from engine.kit import view as kit_view
from engine.record import base64url, bundle, canonical, jws, note
from engine.record.entry import Entry
from engine.record.keys import Jwk
from engine.record.table import Table

TRIES = 8  # a seat that loses the race for a head this often in a row is told so
PATHS = {"join": "join", "leave": "leave", "move": "moves", "resign": "resign", "key": "keys"}
Sign = Callable[[Place], Signed]


class Player:
    """A key at a table. `clock` gives seconds since 1970; `server_key` (32 bytes) pins the server, if it is known.

    `bot` says whether this player is a machine's. A server that logs it otherwise takes our nonce out of the dice, so
    nothing is signed in such a game.
    """

    def __init__(
        self,
        api: Api,
        game: str,
        key: Key,
        memory: Memory,
        *,
        clock: Callable[[], float] = time.time,
        server_key: bytes | None = None,
        bot: bool = False,
    ) -> None:
        self.api = api
        self.bot = bot
        self.game = game
        self.key = key
        self.memory = memory
        self.log = CheckedLog(api.host, game, memory, clock, server_key, self._data_files)
        self._opened = 0

    @property
    def table(self) -> Table:
        return self.log.table

    @property
    def seat(self) -> int | None:
        """Our seat as the log has it; None before joining and after leaving."""
        return self.table.holder(self.key.kid)

    # --- reading --------------------------------------------------------------------------------------------------

    def sync(self, wait: int = 0) -> list[Entry]:
        """Fetch and check what is new, waiting up to `wait` seconds for it; DistrustError if it does not hold."""
        self._send_again()
        return self._sync(wait)

    def wait(self, seconds: int = 25) -> bool:
        """Wait until our seat owes a move; False if the game ended. `seconds` is how long one request is held."""
        self.sync()
        while not self.table.is_over:
            if self.table.stage == "running" and self.seat in self.view()["active"]:
                return True
            self._sync(seconds)
        return False

    def view(self) -> dict[str, Any]:
        """What our seat sees: {"view", "board", "active", "head", "seat", ...}.

        In an open game DistrustError if it is not what our own copy of the log says.
        """
        shown: dict[str, Any] = self._get("view").value
        self._check_view(shown)
        return shown

    def legal(self) -> list[dict[str, Any]]:
        """What our seat may do now: [{"command", "notation", "label"}]."""
        listed: list[dict[str, Any]] = self._get("legal").value
        return listed

    def preview(self, commands: list[Any]) -> dict[str, Any]:
        """What a move would do as far as it is certain. Nothing is signed."""
        shown: dict[str, Any] = self.api.post(f"/v1/games/{self.game}/preview", {"commands": commands}).value
        return shown

    def openings(self) -> list[dict[str, Any]]:
        """What only our seat may know of the entries since the last call, each checked against its seal."""
        seat = self._own_seat()
        given: list[dict[str, Any]] = self._get("openings", after=self._opened).value
        self._sync()
        for opening in given:
            if self.table.hidden:
                openings.check(self.table, self.log.entries[opening["seq"]], seat, opening)
            self._opened = max(self._opened, opening["seq"])
        return given

    def bundle(self) -> bytes:
        """The whole game in one file, as anybody can get it."""
        return self._get("bundle").content

    # --- acting ---------------------------------------------------------------------------------------------------

    def join(self, seat: int | None = None) -> int:
        """Take a seat, or the first free one; returns it. The nonce is made once for this game and kept first."""
        self.sync()
        nonce = self.memory.nonce()
        self._act("join", lambda place: signing.join(self.key, place, nonce), seat)
        return self._own_seat()

    def move(self, commands: list[Any]) -> Entry:
        """Sign and send 1 to 64 commands (JSON values, each perhaps in {"try": ...}); the entry that logs them.

        ApiError with the rule's code if they are refused. In a hidden game `openings` tell how far the move went.
        """
        self.sync()
        if not self.table.hidden:
            return self._act("move", lambda place: signing.move(self.key, place, commands))
        text = signing.seal_text(commands)
        return self._act("move", lambda place: signing.sealed_move(self.key, place, text))

    def leave(self) -> Entry:
        """Give the seat up before the start."""
        self.sync()
        return self._act("leave", lambda place: signing.leave(self.key, place))

    def resign(self) -> Entry:
        """Give the game up; the clock plays the seat from now on."""
        self.sync()
        return self._act("resign", lambda place: signing.resign(self.key, place))

    def add_key(self, key: Jwk) -> Entry:
        """Let another key act for our seat too, for instance that of another machine."""
        self.sync()
        return self._act("key", lambda place: signing.add_key(self.key, place, key))

    def drop_key(self, kid: str) -> Entry:
        """Let a key of our seat sign no more."""
        self.sync()
        return self._act("key", lambda place: signing.drop_key(self.key, place, kid))

    # --- inside ---------------------------------------------------------------------------------------------------

    def _act(self, act: str, sign: Sign, seat: int | None = None) -> Entry:
        """Sign upon the head, again if somebody else was quicker and it means the same; the entry that logs it."""
        for _ in range(TRIES):
            place = self._place(act, seat)
            try:
                return self._post(act, sign(place))
            except ApiError as no:
                if no.code != "stale-head":
                    raise
                self._sync()
                if not self._means_the_same(act, place, no.problem):
                    raise
        raise ApiError(409, "stale-head", {"detail": f"others were quicker {TRIES} times in a row"})

    def _means_the_same(self, act: str, place: Place, problem: Mapping[str, Any]) -> bool:
        """A move must mean the same in the server's eyes and in ours; the other acts do not depend on the position."""
        return act != "move" or (problem.get("unchanged") is True and self.table.unchanged(place.seat, place.seq))

    def _place(self, act: str, seat: int | None) -> Place:
        if self.log.broken is not None:
            raise self.log.broken
        where = self._seat_to_take(seat) if act == "join" else self._own_seat()
        return Place(self.api.host, self.game, where, self.table.size, self.table.head)

    def _seat_to_take(self, wanted: int | None) -> int:
        if wanted is not None:
            return wanted
        free = [seat for seat, occupant in enumerate(self.table.occupants) if occupant is None]
        if not free:
            raise ApiError(409, "game-full", {"detail": "every seat is taken"})
        return free[0]

    def _own_seat(self) -> int:
        if self.seat is None:
            raise ApiError(403, "no-seat", {"detail": "this key holds no seat of this game"})
        occupant = self.table.occupants[self.seat]
        if occupant is not None and occupant.bot != self.bot:
            raise DistrustError("called-a-bot", f"the log says bot: {str(occupant.bot).lower()} of our seat")
        return self.seat

    def _post(self, act: str, signed: Signed) -> Entry:
        """Send; what was sent is kept until it is answered, also if this process dies now."""
        self.memory.keep_pending(signed)
        try:
            answer = self.api.post(f"/v1/games/{self.game}/{PATHS[act]}", signed.body)
        except ApiError:
            self.memory.drop_pending()
            raise
        entry = self._took(answer, signed)
        self.memory.drop_pending()
        return entry

    def _took(self, answer: Answer, signed: Signed) -> Entry:
        """Our act as it was logged. After a lost answer it may lie further back, then the log is fetched first."""
        line, note_text = as_lines([answer.value["entry"]])[0], answer.value["note"]
        if note.read(note_text).size > self.log.size + 1:
            self._sync()
        self.log.take([line], note_text)
        entry = self.log.entries[note.read(note_text).size - 1]
        if entry.body.get("jws") != signed.jws:
            raise DistrustError("other-answer", f"entry {entry.seq} does not log what we signed")
        return entry

    def _send_again(self) -> None:
        """An act of which we never learned whether it was logged: the same bytes get the same answer."""
        pending = self.memory.pending()
        if pending is None:
            return
        act = _act_of(pending)
        try:
            self._post(act, pending)
        except ApiError as no:
            if no.status >= 500:
                raise

    def _sync(self, wait: int = 0) -> list[Entry]:
        lines: list[bytes] = []
        while True:
            page = self._get("log", after=self.log.size + len(lines) - 1, wait=wait).value
            lines += as_lines(page["entries"])
            if not page["entries"] or self.log.size + len(lines) >= note.read(page["note"]).size:
                return self.log.take(lines, page["note"])

    def _get(self, what: str, **query: str | int) -> Answer:
        return self.api.get(f"/v1/games/{self.game}/{what}", etag=None, **query)

    def _data_files(self) -> Mapping[str, bytes]:
        return bundle.read(self.bundle()).data

    def _check_view(self, shown: Mapping[str, Any]) -> None:
        """The view of a head that we have must be the one our own state gives."""
        self._sync()
        table = self.table
        if table.state is None or shown["head"] != base64url.encode(table.head):
            return
        if canonical.dumps(kit_view(table.game, table.state, shown["seat"])) != canonical.dumps(shown["view"]):
            raise DistrustError("other-view", "we are shown another position than the log gives")


def _act_of(signed: Signed) -> str:
    return str(jws.read(signed.jws).payload["act"])
