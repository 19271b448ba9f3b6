"""Audits of a folder: in this process, or as a command of its own with games that harm the process that loads them."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import psutil
from click.testing import CliRunner

from client.commands.audit import main
from tests.kit import installed
from tests.kit.patience import until
from tests.kit.play_record import Record

ROOT = Path(__file__).parents[3]
EVIL = {
    "slow": "import os, pathlib, time; pathlib.Path(os.environ['PID']).write_text(str(os.getpid())); time.sleep(3600)",
    "deadly": "import os; os.kill(os.getpid(), 9)",
    "leaving": "import os; os._exit(3)",
}


def states(home):
    return sorted((home / "audits").glob("*"))


def run(folder, *options):
    return CliRunner().invoke(main, [str(folder), *map(str, options)])


def rows(folder, *options):
    """The summary as JSON and its rows by file."""
    found = json.loads(run(folder, "--json", *options).stdout)
    return found, {row["file"]: row for row in found["rows"]}


def evil(tmp_path, folder, name, kind):
    """A bundle of a game whose rules do something terrible to the process that loads them."""
    for key, code in EVIL.items():
        (tmp_path / "evil" / key).mkdir(parents=True, exist_ok=True)
        (tmp_path / "evil" / key / "__init__.py").write_text(code)
    (tmp_path / "evil" / "__init__.py").touch()
    shutil.rmtree(tmp_path / "evil-1.0.dist-info", ignore_errors=True)
    installed.package(tmp_path, {key: f"evil.{key}:game" for key in EVIL}, "evil")
    data = Record("pig").bundle().replace(b'"game":"pig"', b'"game":"%s"' % kind.encode(), 1)
    assert kind.encode() in data
    (folder / name).write_bytes(data)


@contextmanager
def started(tmp_path, folder, *options, **given):
    """The real command as a process of its own, with the games of `evil`."""
    words = [sys.executable, "-m", "sealedmove", "audit", folder, *options]
    env = os.environ | {"PYTHONPATH": f"{ROOT}:{installed.FOLDER}:{tmp_path}", "PID": str(tmp_path / "pid")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | given
    process = subprocess.Popen([*map(str, words)], env=env, cwd=tmp_path, text=True, **pipes)
    try:
        yield process
    finally:
        for child in psutil.Process(process.pid).children() if process.poll() is None else ():
            child.kill()
        process.kill()
        process.communicate()


def pid_of_the_slow(tmp_path):
    """The worker that hangs."""
    path = tmp_path / "pid"
    return int(until(lambda: path.exists() and path.read_text(), "no worker has begun"))
