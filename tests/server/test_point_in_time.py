"""A base backup and archived segments of the log bring PostgreSQL back to a moment, as docs/operate.md describes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
import psycopg
import pytest

from tests.kit.patience import until
from tests.server.harness import Harness
from tests.server.test_backups import played, started
from tests.servers.postgres import SETTINGS, Cluster, made

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]
LINES = "SELECT seq, line FROM entry WHERE game_id = %s ORDER BY seq"


class Archive:
    """A cluster that archives its log, and a second data folder that is restored from there."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.folder = cluster, cluster.folder / "archive"
        self.folder.mkdir()
        if cluster.user is not None:
            os.chown(self.folder, cluster.user.pw_uid, cluster.user.pw_gid)
        copy = f"test ! -f {self.folder}/%f && cp %p {self.folder}/%f"
        self._set("data", f"wal_level = replica\narchive_mode = on\narchive_command = '{copy}'\n")
        cluster.start([one for one in SETTINGS if not one.startswith("full_page_writes")])

    def _set(self, data: str, lines: str) -> None:
        with (self.cluster.folder / data / "postgresql.auto.conf").open("a") as settings:
            settings.write(lines)

    def ask(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with psycopg.connect(self.cluster.url.replace("+psycopg", ""), autocommit=True) as session:
            return session.execute(query, values).fetchall()  # type: ignore[arg-type]  # only queries of this file

    def back_up(self) -> None:
        """Without the segments: they have to come from the archive."""
        where = ("-h", "127.0.0.1", "-p", str(self.cluster.port), "-U", "sealedmove")
        words = ("--wal-method=none", "--checkpoint=fast", "--no-sync")
        self.cluster.run("pg_basebackup", *where, "-D", self.cluster.folder / "restored", *words)

    def finish_segment(self) -> None:
        """Wait until everything that is committed is in the archive."""
        [(last,)] = self.ask("SELECT pg_walfile_name(pg_switch_wal())")
        until((self.folder / str(last)).exists)

    def recover(self, moment: object) -> None:
        """The data folder is lost; the base backup takes its place and stops at the moment."""
        self.cluster.stop()
        target = f"recovery_target_time = '{moment}'\nrecovery_target_action = promote\n"
        self._set("restored", f"restore_command = 'cp {self.folder}/%f %p'\n{target}")
        signal = self.cluster.folder / "restored" / "recovery.signal"
        signal.touch()
        if self.cluster.user is not None:
            os.chown(signal, self.cluster.user.pw_uid, self.cluster.user.pw_gid)
        self.cluster.start(SETTINGS, "restored")
        until(lambda: self.ask("SELECT pg_is_in_recovery()") == [(False,)])


@contextmanager
def archiving() -> Iterator[Archive]:
    with made() as cluster:
        archive = Archive(cluster)
        try:
            yield archive
        finally:
            folder = "restored" if (cluster.folder / "restored" / "postmaster.pid").exists() else "data"
            cluster.stop(folder)


def test_a_recovery_to_a_moment_has_every_entry_until_then(open_house: Callable[..., Harness], capsys):
    """No later one; `sealedmove verify` finds that all logs hold."""
    with archiving() as archive:
        hall = open_house(archive.cluster.url)
        game = played(hall)
        archive.back_up()
        game.play(2)
        kept = archive.ask(LINES, game.game)
        [(moment,)] = archive.ask("SELECT clock_timestamp()")
        game.play(1)
        archive.finish_segment()
        assert len(archive.ask(LINES, game.game)) > len(kept)
        hall.services.database.dispose()
        began = time.monotonic()
        archive.recover(moment)
        taken = time.monotonic() - began
        assert archive.ask(LINES, game.game) == kept
        checked = started(archive.cluster.url, "verify")
        assert (checked.returncode, "0 failed, 0 unknown, 0 open, 1 hold" in checked.stdout) == (0, True), checked
    with capsys.disabled():
        click.echo(f"\nrecovery to a moment: {taken:.1f} s")
