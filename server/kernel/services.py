"""What a use case is given: settings, the database, the tables in memory, the clock, randomness, the waker.

Made once in a process, by `create_app` or by a worker; nothing connects before it is used.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from engine import registry
from engine.errors import EngineFault
from server.kernel import metrics
from server.kernel import secrets as kernel_secrets
from server.kernel.config import Settings
from server.kernel.db.session import Database
from server.kernel.db.tables import PastTables, TableCache
from server.kernel.logs import log
from server.kernel.wake import Waker


def utc_now() -> datetime:
    """The wall clock, in whole seconds as the record writes it."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class Services:
    """Handed to every use case; a test replaces the clock or the chance, never the store."""

    settings: Settings
    database: Database
    waker: Waker
    tables: TableCache = field(default_factory=TableCache)
    now: Callable[[], datetime] = utc_now
    random: Callable[[int], bytes] = secrets.token_bytes
    past_tables: PastTables = field(default_factory=PastTables)

    def seed(self, number: int) -> bytes:
        """The private seed of the server's key of this number."""
        return kernel_secrets.server_seed(self.settings.master, number)

    def server_key(self, number: int) -> bytes:
        """The public key of this number."""
        return kernel_secrets.server_key(self.settings.master, number)

    def report_fault(self, game_id: str, fault: EngineFault) -> None:
        """For the operator: where it happened. The fault's facts may hold what a seat hides, so they are not told."""
        metrics.FAULTS.inc()
        cause = fault.__cause__
        trace = cause.__traceback__ if cause else fault.__traceback__
        places = []
        while trace is not None:
            places.append(f"{trace.tb_frame.f_code.co_filename.rpartition('/engine/')[2]}:{trace.tb_lineno}")
            trace = trace.tb_next
        error = type(cause or fault).__name__
        log.error("engine-fault", game=game_id, code=fault.code, error=error, at=places[-6:])


def open_services(settings: Settings, waker: Waker | None = None) -> Services:
    """The services of a process. Games of further packages are found from here on."""
    for package in settings.game_packages:
        registry.search(package)
    for folder, why in registry.flaws().items():  # whoever starts it is to know; all other games are served
        log.error("game-out", folder=folder, why=why)
    return Services(settings, Database(settings.database_url), waker or Waker(settings.redis_url))
