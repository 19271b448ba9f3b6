"""`sealedmove operate quarantine` and `jobs`: what could not be processed; and lists of bots and of limits."""

from __future__ import annotations

import click

from server.accounts import by_operator
from server.kernel import config, quarantine
from server.kernel.operator_log import Operator
from server.operate import jobs, startup
from server.operate.actor import acting
from server.operate.commands import print_rows


@click.group(name="quarantine")
def quarantine_group() -> None:
    """List, retry or drop what the workers could not process. Incoming mail: `sealedmove mail quarantine`."""


@quarantine_group.command(name="list")
def list_items() -> None:
    """List all items, longest in quarantine first, one JSON object per line."""
    with startup.operator_services() as services:
        print_rows(quarantine.listed(services))


@quarantine_group.command(name="retry")
@click.argument("item", nargs=-1, metavar="[LOOP KEY]")
@acting()
def retry_item(item: tuple[str, ...], by: Operator) -> None:
    """Try the item KEY of LOOP in the next round, or all items that were not dropped."""
    if len(item) not in (0, 2):
        raise click.UsageError("use `quarantine retry` for all items, or `quarantine retry LOOP KEY` for one")
    with startup.operator_services() as services:
        done = quarantine.retry(services, by, *item)
    _check_found(done or not item, "item")
    click.echo(f"items to try again: {done}")


@quarantine_group.command(name="drop")
@click.argument("loop")
@click.argument("key")
@acting()
def drop_item(loop: str, key: str, by: Operator) -> None:
    """Never try the item KEY of LOOP again. It stays in the list, and `retry LOOP KEY` brings it back."""
    with startup.operator_services() as services:
        _check_found(quarantine.drop(services, by, loop, key), "item")
    click.echo(f"{loop} {key} is dropped")


def _check_found(is_found: object, what: str) -> None:
    if not is_found:
        raise click.ClickException(f"there is no such {what}: `list` shows them all")


@click.group(name="jobs")
def jobs_group() -> None:
    """List, retry or drop jobs of the queue that failed; they are kept for a day."""


@jobs_group.command(name="list")
def list_jobs() -> None:
    """List failed jobs, oldest first, one JSON object per line."""
    with startup.operator_services() as services:
        print_rows(jobs.failed(services))


@jobs_group.command(name="retry")
@click.argument("job")
@acting()
def retry_job(job: str, by: Operator) -> None:
    """Put JOB into the queue again."""
    with startup.operator_services() as services:
        jobs.retry(services, by, job)
    click.echo(f"job {job} is in the queue")


@jobs_group.command(name="drop")
@click.argument("job")
@acting()
def drop_job(job: str, by: Operator) -> None:
    """Delete JOB. The workers' loops still find what it was about, a few seconds later."""
    with startup.operator_services() as services:
        jobs.drop(services, by, job)
    click.echo(f"job {job} is deleted")


@click.command()
def bots() -> None:
    """List all bots, of people and of the house, with their last use, one JSON object per line."""
    with startup.operator_services() as services:
        print_rows(by_operator.bots(services))


@click.command()
def limits() -> None:
    """List the limits that the settings choose, one JSON object per line; an empty value turns one off."""
    settings = startup.checked_settings()
    print_rows({"limit": name.upper(), "value": getattr(settings, name)} for name in (*config.LIMITS, *config.COUNTS))
