"""Checks before a process starts, and around an operator's command; each failure is reported in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlalchemy.exc import SQLAlchemyError

from engine.errors import SealedMoveError
from server.kernel import config, logs
from server.kernel.config import ConfigError, Settings
from server.kernel.db import schema
from server.kernel.db.session import Database, database_message
from server.kernel.errors import Problem
from server.kernel.logs import log
from server.kernel.problem_bodies import body_of
from server.kernel.services import Services, open_services
from server.kernel.store_urls import check_database
from server.log import before_writing
from server.operate import own_process
from server.tables.game_types import without_rules


def checked_settings(*, writes: bool = True) -> Settings:
    """The settings of this process; SystemExit if they are invalid or do not fit the database.

    A process that `writes` compares all games with their kept notes, which may stop a game.

    A database that does not answer yet does not prevent the start: /readyz repeats the check.
    """
    own_process.prepare()
    try:
        settings = config.settings()
        logs.configure(settings.log_level)
        _check(settings, writes=writes)
    except ConfigError as error:
        raise SystemExit(str(error)) from None
    return settings


def _check(settings: Settings, *, writes: bool) -> None:
    services = open_services(settings)
    try:
        _check_file(services.database)
        with services.database.read() as session:
            schema.check(session)
        before_writing.check_all(services, writes=writes)
        _report_missing_rules(services)
    except SQLAlchemyError as error:
        log.warning("start-unchecked", error=type(error).__name__, says=database_message(error))
    finally:
        services.waker.close()
        services.database.dispose()


def _check_file(database: Database) -> None:
    """A missing file does not come by itself, as a database server does: most often its path has a typing error."""
    if (flaw := database.file.flaw) is not None:
        raise ConfigError(
            f"The database cannot be used: {flaw.says}. Correct DATABASE_URL; `sealedmove migrate` makes a new one"
        )


def _report_missing_rules(services: Services) -> None:
    """Name for the operator, once for each process, which games wait for their rules."""
    with services.database.read() as session:
        for (key, version), games in without_rules(session).items():
            log.error("rules-missing", type=key, version=version, games=games)


@contextmanager
def operator_services(*, writes: bool = True) -> Iterator[Services]:
    """Services for one command; a refusal is printed as its sentence."""
    services = open_services(checked_settings(writes=writes))
    try:
        with database_errors(services.database):
            yield services
    except SealedMoveError as no:
        raise click.ClickException(_sentence(no)) from None
    finally:
        services.waker.close()
        services.database.dispose()


def _sentence(no: SealedMoveError) -> str:
    if isinstance(no, Problem) and no.code == "not-found":
        return f"There is nothing with this number. {_where_to_look(click.get_current_context())}"
    body = body_of(no)
    more = f" {no.facts['says']}" if isinstance(no, Problem) and "says" in no.facts else ""
    return f"{body.get('detail') or body['title']}{more}"


def _where_to_look(command: click.Context) -> str:
    """The list beside a command; without one, numbers are those of accounts."""
    group = command.parent
    if group is not None and isinstance(group.command, click.Group) and "list" in group.command.list_commands(group):
        words = group.command_path.removeprefix(command.find_root().command_path)
        return f"`sealedmove{words} list` shows what there is"
    return "`sealedmove operate account find` finds accounts"


def database_alone() -> Database:
    """The database of a command that needs no other setting."""
    url = config.database_url()
    try:
        check_database(url)
    except ConfigError as no:
        raise click.ClickException(str(no)) from None
    return Database(url)


@contextmanager
def database_errors(database: Database) -> Iterator[None]:
    """Print the database's own message if it fails: unreachable, locked, full, of another version, or missing."""
    try:
        yield
    except SQLAlchemyError as error:
        where = database.url.render_as_string(hide_password=True)
        raise click.ClickException(f"the database {where} refused this: {database_message(error)}") from None
