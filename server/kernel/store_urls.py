"""The addresses of the database and of Redis are checked before a driver fails with an error of its own."""

from __future__ import annotations

from urllib.parse import urlsplit

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from server.kernel.config import ConfigError

DRIVERS = ("postgresql+psycopg", "postgresql", "sqlite", "sqlite+pysqlite")
REDIS = ("redis", "rediss", "unix")


def check_database(url: str) -> None:
    """ConfigError, without the password, unless an installed driver can open it."""
    try:
        fits = make_url(url).drivername in DRIVERS
    except (ArgumentError, ValueError):  # ValueError: of its port
        fits = False
    if not fits:
        raise ConfigError("DATABASE_URL must be `postgresql+psycopg://user:password@host/name` or `sqlite:////path`")


def check_redis(url: str | None) -> None:
    """ConfigError, without the password, unless the client reads it; without Redis there is none to check."""
    try:
        parts = urlsplit(url or "redis:")
        fits = parts.scheme in REDIS and parts.port != 0
    except ValueError:  # of its port
        fits = False
    if not fits:
        raise ConfigError("REDIS_URL must be `redis://host:6379/0`, `rediss://...` with TLS, or `unix:///path`")
