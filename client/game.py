"""One player at one table: join, look, move. It signs only on a log that it has checked itself.

    player = Player(session.api, game_id, key, Memory(folder / game_id))
    player.join()
    while player.wait():
        choice = player.legal()[0]
        player.move([choice["command"]])

An act that is signed and not yet answered is kept on disk, and the next call sends it again byte for byte
(`outbox.py`). A move that came too late but still means the same is signed again on the new head, with the same
commands and salt. Evidence against the server is kept before it is judged (`evidence.py`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from client import openings, seats, signing, views
from client.errors import DistrustError, NotAgreedError, NotSignedError
from client.http import Api, ApiError, NoAnswerError
from client.keys import Key
from client.log import CheckedLog, NoteRelation
from client.memory import Memory
from client.outbox import ActOutbox, Sign
from client.public_log import PublicLog
from client.signing import ActPlace
from engine.record.encoding import canonical
from engine.record.log.entry import Entry
from engine.record.log.table import Loss, Table
from engine.record.signed import moves, note
from engine.record.signed.keys import Jwk

LOOKS = 8  # tries for a view that others' moves overtake in a row


def print_warning(text: str) -> None:
    """Receives a player's warnings."""
    print(text, file=sys.stderr)


class Player:
    """A key at a table. `clock` returns seconds since 1970; `server_key` (32 bytes) pins the server, if it is known.

    `named` is the seat that the user names; it matters only if the key is listed and has not signed yet. None asks the
    account. `bot` states, in the signed acts, whether a machine plays. `unsigned` accepts tables where moves without a
    signature are possible, `by_mail` accepts such moves of the own seat. `tell` receives warnings: odd times, the loss
    of the seat.
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
        named: int | None = None,
        bot: bool = False,
        unsigned: bool = False,
        by_mail: bool = False,
        tell: Callable[[str], None] = print_warning,
    ) -> None:
        self.api = api
        self.bot = bot
        self.unsigned = unsigned
        self.by_mail = by_mail
        self.game = game
        self.key = key
        self.memory = memory
        self._clock = clock
        self._named = named
        self._tell = tell
        self._reader = PublicLog(api, game, memory, clock, server_key, self._check_own, tell)
        self._desk = ActOutbox(api, self._reader, memory, clock, tell)
        self._opened = 0
        self._lost: tuple[Loss, ...] = ()
        self._said_gone = False

    @property
    def log(self) -> CheckedLog:
        return self._reader.log

    @property
    def table(self) -> Table:
        return self.log.table

    @property
    def seat(self) -> int | None:
        """Our seat: the one for which our key has signed, or that we or the account name if it lists the key.

        None before joining, after leaving, once the seat is lost, and if several seats list the key and none is ours
        for certain.
        """
        return seats.played_by(self.log, self.key.kid, self._name_seat)

    def own_seat(self) -> int:
        """Our seat; SeatGoneError if our key lost it, NotSignedError if no seat is ours for certain."""
        seat = self.seat
        if seat is not None:
            return seat
        raise seats.gone(self.log, self.key.kid) or _no_seat(self.table, self.key.kid)

    # --- reading --------------------------------------------------------------------------------------------------

    def sync(self, wait: int = 0) -> list[Entry]:
        """Fetch and check new entries, waiting up to `wait` seconds for them; DistrustError if they do not hold."""
        before = list(self.log.entries)
        self._desk.send_again()
        self._sync(wait)
        return self.log.since(before)

    def wait(self, seconds: int = 25) -> bool:
        """Wait until our seat owes a move and may sign it; False if the game ended, SeatGoneError if the seat is gone.

        `seconds` is how long one request is held.
        """
        self.sync()
        while not self.table.is_over:
            if self.table.stage == "running" and self.own_seat() in self.view()["active"] and self._is_time(seconds):
                return True
            self._sync(seconds)
        return False

    def view(self) -> dict[str, Any]:
        """The view of our seat: {"view", "board", "active", "head", "seat", ...}.

        In an open game DistrustError if it differs from our own copy of the log.
        """
        for _ in range(LOOKS):
            shown: dict[str, Any] = self._get("view")
            self._sync()
            if views.is_current(self.log, shown):
                return shown
        raise NoAnswerError("the server keeps showing views of earlier positions")

    def legal(self) -> list[dict[str, Any]]:
        """The legal commands of our seat: [{"command", "notation", "label"}]."""
        listed: list[dict[str, Any]] = self._get("legal")
        return listed

    def preview(self, commands: list[Any]) -> dict[str, Any]:
        """The effect of a move as far as it is certain. Nothing is signed."""
        shown: dict[str, Any] = self.api.post(f"/v1/games/{self.game}/preview", {"commands": commands}).value
        return shown

    def preview_text(self, text: str) -> dict[str, Any]:
        """The same for commands as they are typed; `commands` of the answer are the server's reading of them."""
        shown: dict[str, Any] = self.api.post(f"/v1/games/{self.game}/preview", {"notation": text}).value
        return shown

    def openings(self) -> list[dict[str, Any]]:
        """The private events of our seat since the last call, each checked against its commitment."""
        self._sync()
        if self.table.lost != self._lost:  # entries after a loss have the numbers of lost ones
            self._lost = self.table.lost
            self._opened = min([self._opened, *(loss.seq for loss in self._lost)])
        given = self.openings_after(self._opened)
        self._opened = max([self._opened, *(opening["seq"] for opening in given)])
        return given

    def openings_after(self, after: int) -> list[dict[str, Any]]:
        """The same for all entries after this one, however often they were returned before."""
        seat = self.own_seat()
        given: list[dict[str, Any]] = list(self._openings(after))
        self._sync()
        if self.table.hidden:
            with self.log.judging("openings", seat=seat, openings=given):
                openings.check_all(self.table, self.log.entries, seat, given)
        return given

    def _openings(self, after: int) -> Iterator[dict[str, Any]]:
        """Page by page, as long as the server goes forward."""
        more: int | None = after
        while more is not None:
            page = self.api.get(f"/v1/games/{self.game}/openings", after=more)
            yield from page.value
            more = page.after if page.after is not None and page.after > more else None

    def bundle(self) -> bytes:
        """The whole game in one file, as anyone can get it."""
        return self._reader.bundle()

    def has_moved_on(self, size: int) -> bool:
        """Has the position changed for our seat since this `log.size`? In a hidden game any entry may change it."""
        if self.table.size == size:
            return False
        seat = self.seat
        return self.table.hidden or seat is None or not self.table.unchanged(seat, size)

    def heed(self, text: str) -> list[NoteRelation]:
        """Check our log against the checkpoints in a text, such as a mail; DistrustError at a fork.

        `newer`: the server has signed for more entries than it shows. We show it that checkpoint, and sign nothing
        until it shows them.
        """
        if not self.log.size:
            self.sync()
        return [self._heed(found) for found in note.find(text)]

    # --- acting ---------------------------------------------------------------------------------------------------
    # `either` states that the person knows from UnsettledError that an earlier act may be logged instead.

    def join(self, seat: int | None = None, recovery: Jwk | None = None, *, either: bool = False) -> int:
        """Take a seat; returns it. By default the one that is reserved for us, or the first that is for nobody.

        The nonce is made once for this game and stored first. `recovery` is a key kept elsewhere that can replace the
        seat's keys (`recover`).
        """
        self.sync()
        nonce = self.memory.nonce()
        self._act(
            lambda: seats.empty(self.table, seat, self._reserved),
            lambda place: signing.join(self.key, place, nonce, recovery, bot=self.bot),
            either=either,
        )
        return self.own_seat()

    def take(self, seat: int | None = None, recovery: Jwk | None = None, *, either: bool = False) -> int:
        """Take over an offered or absent seat of a running game, by default as `join` does; returns it."""
        self.sync()
        self._act(
            lambda: seats.free(self.table, seat, self._reserved, self._clock()),
            lambda place: signing.take(self.key, place, recovery, bot=self.bot),
            either=either,
        )
        return self.own_seat()

    def move(self, commands: list[Any], *, seen: int | None = None, either: bool = False) -> Entry:
        """Sign and send 1 to 64 commands (JSON values, optionally in {"try": ...}); returns the entry that logs them.

        ApiError with the rule's code if they are refused. In a hidden game `openings` show how far the move went.
        `seen` is the `log.size` for which they were chosen: ApiError `stale-head` if the position has changed since.
        """
        self.sync()
        if seen is not None and self.has_moved_on(seen):
            raise ApiError(409, "stale-head", {"detail": f"the position has changed since entry {seen - 1}"})
        if not self.table.hidden:
            return self._act(self.own_seat, lambda place: signing.move(self.key, place, commands), either=either)
        text = self._text(commands)
        return self._act(self.own_seat, lambda place: signing.sealed_move(self.key, place, text), either=either)

    def leave(self, *, either: bool = False) -> Entry:
        """Leave the seat before the start."""
        self.sync()
        return self._act(self.own_seat, lambda place: signing.leave(self.key, place), either=either)

    def resign(self, *, either: bool = False) -> Entry:
        """Resign; from now on the server plays default moves for the seat."""
        self.sync()
        return self._act(self.own_seat, lambda place: signing.resign(self.key, place), either=either)

    def offer(self, *, either: bool = False) -> Entry:
        """Offer the seat to others. Until someone takes it, we still play it."""
        return self._offer(is_open=True, either=either)

    def offer_at_once(self, recovery: Key, *, either: bool = False) -> Entry:
        """Offer the seat of this recovery key to others, who need not wait before they take it."""
        self.sync()
        sign: Sign = lambda place: signing.offer(recovery, place, is_open=True)  # noqa: E731 - as in the other acts
        return self._act(lambda: self._seat_recovered_by(recovery), sign, either=either)

    def back(self, *, either: bool = False) -> Entry:
        """Withdraw the offer, or end an absence: "I am back"."""
        return self._offer(is_open=False, either=either)

    def add_key(self, key: Jwk, *, either: bool = False) -> Entry:
        """Let another key act for our seat too, for example that of another machine."""
        self.sync()
        return self._act(self.own_seat, lambda place: signing.add_key(self.key, place, key), either=either)

    def drop_key(self, kid: str, *, either: bool = False) -> Entry:
        """Remove a key from our seat, such as that of a device that is no longer ours."""
        self.sync()
        return self._act(self.own_seat, lambda place: signing.drop_key(self.key, place, kid), either=either)

    def recover(
        self, recovery: Key, only: list[Jwk] | None = None, new: Jwk | None = None, *, either: bool = False
    ) -> Entry:
        """Make this device's key, or the 1 to 4 keys `only`, the only keys of the seat of this recovery key.

        One act, whatever a thief has added, dropped or offered meanwhile. `new` replaces the recovery key with it.
        """
        return self._replace_keys(recovery, [self.key.jwk] if only is None else only, new, either=either)

    def replace_recovery(self, recovery: Key, new: Jwk, *, either: bool = False) -> Entry:
        """Replace this recovery key with another. The seat keeps its other keys."""
        return self._replace_keys(recovery, None, new, either=either)

    def recovers(self, recovery: Key) -> int | None:
        """The seat that this recovery key can take back; None if no seat is ours for certain."""
        return seats.recovered_by(self.log, recovery.kid, self.key.kid, self._name_seat)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _act(self, seat: Callable[[], int], sign: Sign, *, either: bool = False) -> Entry:
        """Check everything that must hold before a signature, again for each try."""

        def where() -> ActPlace:
            self.log.check_trust()
            self._check_agreed()
            self.log.check_ready()
            return ActPlace(self.api.host, self.game, seat(), self.table.size, self.table.head)

        try:
            return self._desk.perform(where, sign, either=either)
        finally:
            self._say_if_gone()

    def _offer(self, *, is_open: bool, either: bool) -> Entry:
        self.sync()
        sign: Sign = lambda place: signing.offer(self.key, place, is_open=is_open)  # noqa: E731 - as in the other acts
        return self._act(self.own_seat, sign, either=either)

    def _replace_keys(self, recovery: Key, only: list[Jwk] | None, new: Jwk | None, *, either: bool) -> Entry:
        self.sync()
        sign: Sign = lambda place: signing.replace_keys(recovery, place, only=only, new=new)  # noqa: E731 - as above
        return self._act(lambda: self._seat_recovered_by(recovery), sign, either=either)

    def _seat_recovered_by(self, recovery: Key) -> int:
        seat = self.recovers(recovery)
        if seat is None:
            raise seats.gone(self.log, recovery.kid) or _no_seat(self.table, recovery.kid)
        return seat

    def _name_seat(self) -> int | None:
        """The seat that the user names, or the account."""
        if self._named is not None:
            return self._named
        with suppress(ApiError):
            found = self._get("view").get("seat")
            return found if isinstance(found, int) else None
        return None

    def _reserved(self) -> dict[int, bool]:
        """The seats that the server reserves, and whether for our account."""
        shown = self.api.get(f"/v1/games/{self.game}").value["seats"]
        kept = [one["seat"] for one in shown if one["kept"]]
        ours: set[int] = set()
        if kept:
            with suppress(ApiError):  # without a token that may read them
                invited = self.api.get("/v1/me/invitations").value
                ours = {one["seat"] for one in invited if one["game"] == self.game}
        return {seat: seat in ours for seat in kept}

    def _check_agreed(self) -> None:
        if self.table.created["unsigned"] and not self.unsigned:
            raise NotAgreedError

    def _check_own(self, _table: Table, entry: Entry) -> None:
        """Check that nobody else has signed moves of our seat, unless the user also plays by mail or page."""
        if entry.kind != "moved" or "jws" in entry.body or self.by_mail:
            return
        if entry.body["seat"] == self.seat:
            raise DistrustError("unsigned-move", f"entry {entry.seq} is a move of our seat that we did not sign")

    def _text(self, commands: list[Any]) -> str:
        """The text of a sealed move; reuses the one signed for this place before if the commands are the same."""
        wanted = canonical.dumps(commands)
        for act in self.memory.pending():
            if act.text is not None and canonical.dumps(moves.read_move_text(act.text)[0]) == wanted:
                return act.text
        return signing.seal_text(commands)

    def _is_time(self, seconds: int) -> bool:
        """Check that the head may be signed on; wait a while if it is dated ahead of our clock."""
        try:
            self.log.check_ready()
        except NotSignedError as no:
            self.api.pause(min(getattr(no, "seconds", 1.0), float(seconds)))
            return False
        return True

    def _sync(self, wait: int = 0) -> list[Entry]:
        new = self._reader.fetch(wait)
        self._say_if_gone()
        return new

    def _say_if_gone(self) -> None:
        gone = seats.gone(self.log, self.key.kid) if self.log.size else None
        if gone is not None and not self._said_gone:
            self._said_gone = True
            self._tell(gone.says)

    def _get(self, what: str, **query: int) -> Any:
        """Ask for the view of our seat, with our token."""
        return self.api.get(f"/v1/games/{self.game}/{what}", etag=None, **query).value

    def _heed(self, found: str) -> NoteRelation:
        said = self._reader.heed(found)
        if said != "newer":
            return said
        self._sync()
        if self.memory.note_ahead() is None:
            return self._reader.heed(found)
        self._reader.show(found)
        return said


def _no_seat(table: Table, kid: str) -> NotSignedError:
    listing = table.seats_of(kid)
    if listing:
        where = " and ".join(str(seat + 1) for seat in listing)
        return NotSignedError("not-certain", f"this key is listed at seat {where}, but has not signed for it")
    return NotSignedError("no-seat", "no seat of this game lists this key")
