"""Work on every game in the database, by a process for each core, such as its audit. Nothing is written."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TypeVar

import msgspec
import sqlalchemy as sa

from engine.record.audit.report import Verdict
from server.evidence import audit
from server.kernel.config import Settings
from server.kernel.db.models import Game
from server.kernel.logs import log
from server.kernel.services import Services, open_services

GRAVITY: tuple[Verdict, ...] = ("fails", "unknown", "open", "holds")
T = TypeVar("T")
_own: list[Services] = []  # of this process, if it is one of those that work


class GameVerdict(msgspec.Struct, frozen=True):
    """The verdict on a game; `check` fails at the earliest `entry`."""

    game: str
    verdict: Verdict
    check: str | None = None
    entry: int | None = None
    says: str = ""


def games(services: Services) -> Sequence[str]:
    """All games, the oldest first."""
    with services.database.read() as session:
        return session.scalars(sa.select(Game.id).order_by(Game.created_at, Game.id)).all()


def audit_all(services: Services, wanted: Sequence[str], jobs: int | None = None) -> Iterator[GameVerdict]:
    """The verdicts, as `each_game` gives them."""
    return each_game(services, _judge, wanted, jobs)


def each_game(
    services: Services, work: Callable[[Services, str], T], wanted: Sequence[str], jobs: int | None = None
) -> Iterator[T]:
    """The results in the order of the games, each as soon as it is there. BrokenProcessPool if a process is killed."""
    services.database.dispose()  # no process inherits a connection
    forks = multiprocessing.get_context("fork")
    processes = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())
    with ProcessPoolExecutor(processes, forks, _begin, (services.settings,)) as pool:
        yield from pool.map(partial(_work, work), wanted)


def _begin(settings: Settings) -> None:
    """Ctrl-C ends the command, which then ends its processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _own.append(open_services(settings))


def _work(work: Callable[[Services, str], T], game_id: str) -> T:
    return work(_own[0], game_id)


def _judge(services: Services, game_id: str) -> GameVerdict:
    try:
        _, report = audit.judged(services, game_id)
    except Exception as fault:  # noqa: BLE001 - the other games are still to be judged
        log.error("auditor-fault", game=game_id, error=type(fault).__name__)
        return GameVerdict(game_id, "unknown", says=f"the game cannot be read: {type(fault).__name__}")
    check, entry = audit.first_failure(report)
    return GameVerdict(game_id, report.verdict, check, entry, report.headline)
