"""Structured logs, one JSON object a line on stderr. They never contain secrets.

A request is logged by its route, not by its path: paths hold the tokens of mailed links. SQLAlchemy prints rows at
DEBUG, and rows hold openings and secrets of games; those records are dropped whatever the level.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeVar

import structlog
from structlog import contextvars

T = TypeVar("T")
log: Any = structlog.get_logger("sealedmove")


def configure(level: str) -> None:
    """Set up the process's logging; called where the process is put together."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    if not any(getattr(handler, "is_ours", False) for handler in root.handlers):
        root.addHandler(_handler())
    root.setLevel(level)
    logging.captureWarnings(True)
    logging.getLogger("httpx").setLevel(max(logging.WARNING, root.level))  # at INFO it writes the path of each request
    for name in ("sqlalchemy.engine.Engine", "sqlalchemy.engine", "sqlalchemy.pool"):
        logging.getLogger(name).addFilter(no_rows)


# The id of a request follows everything that comes of it: every line that this thread or task logs has it, and so has
# every row that it stores for other processes (`RequestId` in `server.kernel.db.models`), which bind it in their turn.


def request_id() -> str | None:
    """The id of the request that this thread or task works for; None if it works for none."""
    found: str | None = contextvars.get_contextvars().get("request")
    return found


def bind_request(number: str | None) -> None:
    """From here on this thread or task works for this request, or for none."""
    contextvars.clear_contextvars()
    if number is not None:
        contextvars.bind_contextvars(request=number)


def apart(act: Callable[[], T]) -> T:
    """Call it; the request that it binds is unbound afterwards."""
    return copy_context().run(act)


def no_rows(record: logging.LogRecord) -> bool:
    """Drop SQLAlchemy's records that may print a row."""
    return record.levelno > logging.DEBUG


def _handler() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.is_ours = True  # type: ignore[attr-defined]  # so that a second app in the process adds no second one
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
        )
    )
    return handler
