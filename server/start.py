"""What must hold before a process starts; asked by whoever starts one, and answered in one sentence if it does not."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError

from server import config, logs
from server.config import ConfigError, Settings
from server.logs import log
from server.projections.server_keys import check_number
from server.services import open_services


def checked() -> Settings:
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
    except SQLAlchemyError as error:
        log.warning("start-unchecked", error=type(error).__name__)
    finally:
        services.database.dispose()
