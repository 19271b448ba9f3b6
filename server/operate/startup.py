"""What must hold before a process starts, or around a command of the operator; one sentence says if it does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlalchemy.exc import SQLAlchemyError

from engine.errors import SealedMoveError
from server.evidence.server_keys import check_number
from server.kernel import config, logs
from server.kernel.config import ConfigError, Settings
from server.kernel.db.session import Database, database_message
from server.kernel.errors import body_of
from server.kernel.logs import log
from server.kernel.services import Services, open_services
from server.log import kept_notes


def checked_settings() -> Settings:
    """The settings of this process; SystemExit if it cannot start with them, or not with what the database holds.

    A database that does not answer yet stops no start: /readyz asks the same again.
    """
    try:
        settings = config.settings()
        logs.configure(settings.log_level)
        _check(settings)
    except ConfigError as error:
        raise SystemExit(str(error)) from None
    return settings


def _check(settings: Settings) -> None:
    services = open_services(settings)
    try:
        check_number(services)
        kept_notes.check_all(services)
    except SQLAlchemyError as error:
        log.warning("start-unchecked", error=type(error).__name__)
    finally:
        services.database.dispose()


@contextmanager
def operator_services() -> Iterator[Services]:
    """Services of one's own, for one command; a refusal is told in its own sentence."""
    services = open_services(checked_settings())
    try:
        with database_errors(services.database):
            yield services
    except SealedMoveError as no:
        body = body_of(no)
        raise click.ClickException(str(body.get("detail") or body["title"])) from None
    finally:
        services.database.dispose()


@contextmanager
def database_errors(database: Database) -> Iterator[None]:
    """What the database says where it does not do its part: away, locked, full, of another version, or none at all."""
    try:
        yield
    except SQLAlchemyError as error:
        where = database.url.render_as_string(hide_password=True)
        raise click.ClickException(f"the database {where} refused this: {database_message(error)}") from None
