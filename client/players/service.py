"""Many house players in one process: a listener for all accounts, and one decider that answers them in turn.

The listener only requests a look at an account. The look asks the server what is owed, so a lost, repeated or late
event does no harm. Everything that must not be lost is on disk (`outbox.py`): a process that is killed at any moment
starts again and sends the same bytes. One answer is given at a time, so everything together takes one core.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx

from client import folders
from client.errors import ClientError, UnsettledError
from client.events import MOST_FOLLOWED, Event
from client.http import Api, ApiError
from client.players import metrics
from client.players.account import Bot, Version, accounts_in
from client.players.decider import Decider, LaterError
from client.players.listener import EventListener

Tell = Callable[..., None]
LOOKS = 3600.0  # seconds between looks at every account. Events, lost streams and troubles bring earlier ones
SCANS = 2.0  # seconds between searches for new accounts
GONE = 60.0  # seconds until a refused token is tried again, and its seats go to others; a new one is tried at once
PAUSE, LONGEST = 10.0, 300.0  # seconds until a table that gave trouble is tried again, twice as many each time
SOON = 0.5  # seconds until an answer is tried again that had no time to think
OVER = ("over", "cancelled", "taken")
CONCERN = ("turn", "invited", "reset", "started")


class BusyError(ClientError):
    """Another process already plays for the accounts of this folder."""


class FolderError(ClientError):
    """The folder of the accounts cannot be used."""


class NobodyError(ClientError):
    """No account can take over a seat."""


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Lock the folder; BusyError if another process has. Two processes at one seat would sign twice for one place.

    FolderError if it cannot be made or written to.
    """
    try:
        folders.make_private(folder)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as no:
        message = f"{no.filename} cannot be used: {no.strerror}; PLAYERS_DIR must name a folder that you may write to"
        raise FolderError(message) from None
    with os.fdopen(lock, "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # released with this process, however it ends
        except BlockingIOError:
            raise BusyError(f"another process plays for the accounts in {folder}") from None
        yield


class Service:
    """The accounts of a folder. `tell` takes the name and facts of an event; `run` returns after `stop` is set."""

    def __init__(self, folder: Path, decider: Decider, tell: Tell, stop: threading.Event) -> None:
        self.folder = folder
        self._decider = decider
        self._tell = tell
        self._stop = stop
        self._http = httpx.Client(timeout=40.0, limits=httpx.Limits(max_connections=None))
        self._bots: dict[Path, Bot] = {}
        self._listeners: dict[tuple[str, int], EventListener] = {}  # by server and number
        self._waiting: deque[Bot] = deque()
        self._over: deque[tuple[Bot, str]] = deque()
        self._later: dict[Version, float] = {}
        self._owed: dict[tuple[str, str], tuple[Bot, float]] = {}  # answers by account and game: since when
        self._refused: dict[Path, tuple[Bot, float]] = {}  # accounts whose token is refused: when to replace them
        self._resting: dict[tuple[str, str], float] = {}
        self._pauses: dict[tuple[str, str], float] = {}  # the last pause of each table that gives trouble
        self._again: dict[Bot, float] = {}  # accounts to look at again after trouble: when
        self._something = threading.Condition()

    def run(self) -> None:
        self._tell_if_empty()
        scanned = looked = -LOOKS
        while not self._stop.is_set():
            now = time.monotonic()
            if now - scanned >= SCANS:
                scanned = now
                self._scan()
            if now - looked >= LOOKS:
                looked = now
                self._wake_all()
            self._wake_troubled()
            bot = self._next()
            if bot is not None:
                self._try(partial(self._look, bot), bot)
            else:
                self._answer_one()
        self._http.close()

    def _tell_if_empty(self) -> None:
        """Accounts may come later, but a folder without any is perhaps not the one that was meant."""
        if next(accounts_in(self.folder), None) is None:
            folder = self.folder.resolve()
            self._tell("no-accounts", folder=str(folder), do=f"sealedmove bot fill {folder} --why REASON")

    # --- the queue ----------------------------------------------------------------------------------------------------

    def wake(self, bot: Bot, event: Event | None = None) -> None:
        """Request a look at this account; called by the listener."""
        kind = None if event is None else event.get("kind")
        with self._something:
            if event is not None and kind in OVER:
                self._over.append((bot, str(event.get("game"))))
            if (event is None or kind in CONCERN) and bot not in self._waiting:
                self._waiting.append(bot)
            self._something.notify()

    def _wake_all(self) -> None:
        for bot in list(self._bots.values()):  # a listener may find out meanwhile that its account is gone
            self.wake(bot)

    def _wake_troubled(self) -> None:
        now = time.monotonic()
        for bot in [bot for bot, due in [*self._again.items()] if due <= now]:
            del self._again[bot]
            self.wake(bot)

    def _next(self) -> Bot | None:
        with self._something:
            if not self._waiting and not self._ready():
                self._something.wait(0.5)
            over, self._over = self._over, deque()
            first = self._waiting.popleft() if self._waiting else None
        for bot, game in over:
            self._try(partial(bot.forget, game), bot, game)
        return first

    def _scan(self) -> None:
        now = time.monotonic()
        for version in accounts_in(self.folder):
            if version.folder not in self._bots and self._later.get(version, now) <= now:
                self._later[version] = now + PAUSE
                self._try(partial(self._begin, version), None)
        self._listen()
        metrics.ACCOUNTS.set(len(self._bots))
        metrics.REFUSED.set(len(self._refused))
        for bot, due in [*self._refused.values()]:
            if due <= now:
                self._refused[bot.folder] = bot, now + GONE
                self._replace(bot)

    def _begin(self, version: Version) -> None:
        bot = Bot(version, self._http, self._tell)
        try:
            bot.register()
        except ApiError as no:
            if no.status != 401:
                raise
            self._refuse(bot)
            return
        self._bots[version.folder] = bot
        self._refused.pop(version.folder, None)
        self._tell("plays-for", bot=bot.name, account=bot.held.account, wanted=bot.held.level)
        self.wake(bot)
        for game in bot.over():
            bot.forget(game)

    def _listen(self) -> None:
        """Follow all accounts, by one stream for each server; beyond the most that one follows by further ones."""
        groups: dict[tuple[str, int], list[Bot]] = {place: [] for place in self._listeners}
        counts: Counter[str] = Counter()
        for bot in list(self._bots.values()):
            groups.setdefault((bot.held.url, counts[bot.held.url] // MOST_FOLLOWED), []).append(bot)
            counts[bot.held.url] += 1
        for (url, number), bots in groups.items():
            self._listener(url, number).follow(bots)

    def _listener(self, url: str, number: int) -> EventListener:
        found = self._listeners.get((url, number))
        if found is None:
            found = EventListener(Api(url, None, self._http), self.wake, self._trouble, self._stop)
            self._listeners[url, number] = found
            found.start()
        return found

    # --- pending work -------------------------------------------------------------------------------------------------

    def _look(self, bot: Bot) -> None:
        """Accept invitations, and note the answers that the account owes."""
        for asked in bot.api.get("/v1/me/invitations").value:
            self._try(partial(self._sit, bot, asked), bot, asked["game"])
        games = [one["game"] for one in bot.api.get("/v1/me/turns").value if not one["stopped"]]
        self._pauses.pop((bot.held.account, ""), None)
        account, now = bot.held.account, time.monotonic()
        before = {game: since for (owner, game), (_, since) in self._owed.items() if owner == account}
        for game in {*before} - {*games}:
            del self._owed[account, game]
        for game in games:
            self._owed[account, game] = bot, before.get(game, now)
        metrics.WAITING.set(len(self._owed))

    def _ready(self) -> list[tuple[str, str]]:
        """The owed answers of tables that do not rest, the oldest first."""
        now = time.monotonic()
        self._resting = {table: until for table, until in self._resting.items() if until > now}
        return [table for table in self._owed if table not in self._resting]

    def _answer_one(self) -> None:
        """Give the oldest answer that is owed."""
        for account, game in self._ready()[:1]:
            bot, since = self._owed.pop((account, game))
            metrics.WAITING.set(len(self._owed))
            self._try(partial(self._answer, bot, game, since), bot, game)

    def _sit(self, bot: Bot, asked: dict[str, object]) -> None:
        game, seat = str(asked["game"]), int(str(asked["seat"]))
        player = bot.player(game)
        (player.join if asked["act"] == "join" else player.take)(seat, bot.recovery.jwk, either=True)
        self._tell("sits", bot=bot.name, game=game, seat=seat)
        self._pauses.pop((bot.held.account, game), None)
        self.wake(bot)

    def _answer(self, bot: Bot, game: str, since: float) -> None:
        try:
            if self._decider.answer(bot, game, len(self._owed), time.monotonic() - since):
                self.wake(bot)  # a turn may go on
            self._pauses.pop((bot.held.account, game), None)
        except LaterError:
            self._owed[bot.held.account, game] = bot, since
            self._resting[bot.held.account, game] = time.monotonic() + SOON

    def _try(self, act: Callable[[], None], bot: Bot | None, game: str = "") -> None:
        """Run a step so that trouble with one account or table does not affect the others."""
        try:
            act()
        except Exception as why:  # noqa: BLE001 - a refusal, an outage, distrust, a fault: the other tables go on
            if isinstance(why, ApiError) and why.code == "stale-head" and bot:
                self.wake(bot)  # others were quicker
            else:
                self._trouble(bot, why, game)

    def _trouble(self, bot: Bot | None, why: Exception, game: str = "") -> None:
        name = bot.name if bot else None
        if bot and isinstance(why, ApiError) and why.status == 401:  # erased, or it has another token now
            self._refuse(bot)
        elif bot:
            self._rest(bot, game)
        says = why.code if isinstance(why, UnsettledError) else str(why)[:500]  # it quotes sealed moves
        self._tell("trouble", bot=name, game=game or None, error=type(why).__name__, says=says)

    def _rest(self, bot: Bot, game: str) -> None:
        """Leave the table alone for a while, and then look at its account again."""
        table = bot.held.account, game
        self._pauses[table] = min(2 * self._pauses.get(table, PAUSE / 2), LONGEST)
        self._again[bot] = time.monotonic() + self._pauses[table]
        if game:
            self._resting[table] = self._again[bot]

    # --- accounts whose token is refused ------------------------------------------------------------------------------

    def _refuse(self, bot: Bot) -> None:
        """Stop playing for an account, and name it with its tables; after a minute others take them over."""
        self._later[bot.version] = time.monotonic() + GONE
        with self._something:
            if self._bots.get(bot.folder) is bot:
                del self._bots[bot.folder]
        self._again.pop(bot, None)
        for owed in [owed for owed in self._owed if owed[0] == bot.held.account]:
            del self._owed[owed]
        if bot.folder not in self._refused:
            self._refused[bot.folder] = bot, time.monotonic() + GONE
            held = bot.held
            self._tell("refused-token", bot=bot.name, account=held.account, wanted=held.level, games=bot.games())

    def _replace(self, bot: Bot) -> None:
        """Offer the seats of an account whose token is refused, and let others of its level take them."""
        for game in bot.games():
            self._try(partial(self._take_over, bot, game), None, game)

    def _take_over(self, bot: Bot, game: str) -> None:
        seat = bot.give_up(game)
        if seat is None:
            return
        level = [other for other in self._bots.values() if other.held.level == bot.held.level]
        other = min((one for one in level if game not in one.games()), key=lambda one: len(one.games()), default=None)
        if other is None:
            raise NobodyError(f"no other account of level {bot.held.level} can take seat {seat + 1}")
        other.player(game).take(seat, other.recovery.jwk, either=True)
        bot.forget(game)
        self._tell("takes-over", bot=other.name, of=bot.name, game=game, seat=seat)
        self.wake(other)
