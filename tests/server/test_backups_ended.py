"""`backup` and `restore` that a signal ends in the middle undo what they have begun."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from server.operate import backups
from tests.kit.patience import PATIENCE, until
from tests.server.harness import WHY, sqlite_url
from tests.server.test_backups import NEEDED, backed_up, described, lose, run, tables


def test_a_restore_that_is_ended_in_the_middle_leaves_the_database_empty(tmp_path: Path, open_house, monkeypatch):
    """It does not fill the database to its end and then claim that it was aborted."""
    url = sqlite_url(tmp_path)
    hall = open_house(url)
    copy = backed_up(url, tmp_path / "copy")
    hall.services.database.dispose()
    lose(url)
    with monkeypatch.context() as patched:
        patched.setattr(backups, "STEP", 1)
        patched.setattr(backups, "_after_step", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        done = run(url, "restore", str(copy), *WHY)
    assert (done.exit_code, "Aborted!" in done.output, tables(url)) == (1, True, []), done.output
    assert run(url, "restore", str(copy), *WHY).exit_code == 0


@pytest.mark.slow
@pytest.mark.postgresql
@pytest.mark.parametrize(("word", "program"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_sigterm_ends_the_program_of_postgresql_too(postgres_url: str, tmp_path: Path, open_house, word, program):
    """It would go on alone, and complete a restore that the operator's log lacks. Nothing is left."""
    folder, pid = tmp_path / "copies", tmp_path / "pid"
    folder.mkdir()
    if word == "backup":
        open_house(postgres_url)
    else:
        described(folder / "copy", b"a dump", database="postgresql")
    before = sorted(folder.iterdir())
    waits = tmp_path / program
    full = "head -c 200000 /dev/zero >&2"  # more than a pipe holds: the command reads, so it has started us by then
    waits.write_text(f"#!/bin/sh\n{full}; echo $$ > {pid}.new && mv {pid}.new {pid} && exec sleep 600\n")
    waits.chmod(0o700)
    more = {"DATABASE_URL": postgres_url, "REDIS_URL": "", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    words = [sys.executable, "-m", "sealedmove", word, str(folder / "copy"), *(WHY if word == "restore" else ())]
    with subprocess.Popen(words, env=os.environ | NEEDED | more, stderr=subprocess.PIPE, text=True) as command:
        until(pid.exists, f"{program} was not started")
        command.terminate()
        output = command.communicate(timeout=PATIENCE)[1]
    assert (command.returncode, "Aborted!" in output) == (1, True), output
    assert sorted(folder.iterdir()) == before
    until(lambda: _has_ended(int(pid.read_text())), f"{program} goes on")


def _has_ended(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
