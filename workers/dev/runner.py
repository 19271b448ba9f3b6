"""`sealedmove run`: everything on one machine, by its processes (`procfile.OURS`).

Order of start: what the others connect to (redis, mail), the tables, then the web server, and `sealedmove house` with
everything else. The web server counts as started when it answers, a process with other sockets when it takes
connections, the rest when they have lived for a moment; a process that ends before that ends the run with status 1.
Later a process that ends is started again, after a pause that doubles. Order of stop: backwards in three steps, so that
no process loses a server that it needs to finish; those of a step end in parallel, and one that takes too long is
killed, so the time to stop is bounded. If the runner itself is killed, `watch` ends all.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit
from urllib.request import urlopen

import click

from server.operate import own_process
from workers import stopping
from workers.dev import data_lock, environment, procfile
from workers.dev.process import Process
from workers.dev.watch import Watchdog
from workers.errors import WorkerError

ORDER = ("redis", "mail", "web", "house")
STOP = (("web",), ("mail", "redis"))  # in this order, after all others
PATIENCE = 60.0
STOP_PATIENCE = 6.0  # of one step
LIVED = 1.0
TICK = 0.2
HERE = ("127.0.0.1", "::1", "localhost")


class StartError(WorkerError):
    """A process ended, or did not answer, before it counted as started."""


@click.command()
@click.option(
    "--procfile",
    "path",
    envvar="PROCFILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A Procfile with other processes.",
)
def main(path: Path | None) -> None:
    """Run everything on this machine: site, API, mail page; Ctrl-C stops it."""
    own_process.prepare()
    given = dict(os.environ)
    stop = stop_on_signals()
    try:
        env, held = claimed(given)
        with held:
            text = procfile.OURS if path is None else path.read_text("utf-8")
            run(chosen(text, given, env), env, stop)
    except (StartError, data_lock.DataDirBusyError, environment.MasterFileError, environment.PortError) as problem:
        raise click.ClickException(str(problem)) from problem


def claimed(given: Mapping[str, str]) -> tuple[dict[str, str], IO[str]]:
    """The environment, and the lock of its data folder, which is made."""
    try:
        env = with_our_programs(environment.complete(given))
        return env, data_lock.lock(Path(env["DATA_DIR"]))
    except OSError as no:
        message = f"{no.filename} cannot be used: {no.strerror}; set DATA_DIR to a folder that you may write to"
        raise click.ClickException(message) from None


def run(processes: list[Process], env: Mapping[str, str], stop: threading.Event) -> None:
    """Start all, keep them running until `stop` is set, stop all."""
    data_dir, started = Path(env["DATA_DIR"]), list[Process]()
    data_lock.end_all(data_dir)
    check_free(processes, env)
    watch = Watchdog()
    try:
        start_all(processes, env, stop, started, watch)
        if not stop.is_set():
            print_addresses(env)
        while not stop.wait(TICK):
            if [process for process in started if process.restart_if_due()]:
                remember(data_dir, started, watch)
    finally:
        stop_all(started)
        remember(data_dir, [], watch)
        watch.close()


def stop_all(started: Iterable[Process]) -> None:
    """In three steps: first those that connect to others, last those that all others connect to."""
    steps = [[], *([process for process in started if process.name in names] for names in STOP)]
    steps[0] = [process for process in started if not any(process in step for step in steps)]
    for step in steps:
        for process in step:
            process.ask()
        until = time.monotonic() + STOP_PATIENCE
        for process in step:
            process.stop(max(0.0, until - time.monotonic()))


def check_free(processes: Iterable[Process], env: Mapping[str, str]) -> None:
    """StartError if another program listens on one of their addresses: it would be mistaken for ours."""
    for process in processes:
        for family, (host, port) in listens(process.name, env):
            if connects(family, (host, port)):
                message = f"another program already listens on {host}, port {port}, where {process.name} is to"
                raise StartError(f"{message}; `PORT=9000 make run` takes 9000 to 9003 instead")


def start_all(
    processes: list[Process], env: Mapping[str, str], stop: threading.Event, started: list[Process], watch: Watchdog
) -> None:
    """Start one after the other; prepare shared data once the servers run and before anybody reads it."""
    furnished = False
    for process in processes:
        if not furnished and process.name not in ("redis", "mail"):
            furnish(env, stop)
            furnished = True
        if stop.is_set():
            return
        process.start()
        started.append(process)
        remember(Path(env["DATA_DIR"]), started, watch)
        await_ready(process, readiness(process.name, env), stop)


def furnish(env: Mapping[str, str], stop: threading.Event) -> None:
    """Prepare the data, so that the first page already shows everything there is."""
    carry_out(["migrate"], env, stop)
    if "PLAYERS_DIR" in env:
        count = ["--each", env["PLAYERS_EACH"], "--replace-tokens"]  # no other process plays for this server
        carry_out(["bot", "fill", env["PLAYERS_DIR"], *count, "--why", "make run"], env, stop)


def carry_out(words: list[str], env: Mapping[str, str], stop: threading.Event) -> None:
    """Run a command to its end, or until everything is to end; StartError if it fails by itself."""
    with subprocess.Popen(["sealedmove", *words], env=dict(env)) as child:
        while child.poll() is None and not stop.wait(TICK / 4):
            pass
        if child.poll() is None:
            child.terminate()
    if child.returncode and not stop.wait(LIVED):  # Ctrl-C reaches the child as well, which may be quicker
        message = f"sealedmove {words[0]} ended with status {child.returncode}"
        raise StartError(message)


def await_ready(process: Process, ready: Callable[[], bool], stop: threading.Event) -> None:
    """Wait until it is ready; StartError if it ends or takes too long."""
    since = time.monotonic()
    while not stop.is_set():
        status = process.ended()
        if status is not None:
            message = f"{process.name} ended with status {status} at its start"
            raise StartError(message)
        if ready():
            return
        if time.monotonic() - since > PATIENCE:
            message = f"{process.name} did not answer within {PATIENCE:.0f} s"
            raise StartError(message)
        stop.wait(TICK / 2)


def readiness(name: str, env: Mapping[str, str]) -> Callable[[], bool]:
    """The condition under which the process of this name counts as started."""
    if name == "web":
        return lambda: answers(f"http://{environment.local_address(env['HOST'])}:{env['PORT']}/healthz")
    if doors := sockets(name, env) + listens(name, env):
        return lambda: all(connects(family, address) for family, address in doors)
    since = time.monotonic()
    return lambda: time.monotonic() - since > LIVED


def sockets(name: str, env: Mapping[str, str]) -> list[tuple[socket.AddressFamily, str]]:
    """The files through which other processes of this machine reach the one of this name."""
    paths = {"redis": urlsplit(env["REDIS_URL"]).path, "house": env["EVENTS_SOCKET"]}
    return [(socket.AF_UNIX, paths[name])] if name in paths else []


def listens(name: str, env: Mapping[str, str]) -> list[tuple[socket.AddressFamily, tuple[str, int]]]:
    """The ports of this machine at which the process of this name listens."""
    if name == "web":
        host = environment.local_address(env["HOST"]).strip("[]")
        return [(socket.AF_INET6 if ":" in host else socket.AF_INET, (host, int(env["PORT"])))]
    ports = {
        "mail": lambda: [int(env["SMTP_PORT"]), int(env["MAIL_PAGE_PORT"])],
        "house": lambda: [urlsplit(url).port or 0 for url in filter(None, env.get("INBOUND_LISTEN", "").split(","))],
    }
    return [(socket.AF_INET, ("127.0.0.1", port)) for port in ports.get(name, list)()]


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=2) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except OSError:
        return False


def connects(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(2)
        return client.connect_ex(address) == 0


def chosen(text: str, given: Mapping[str, str], env: Mapping[str, str]) -> list[Process]:
    """The Procfile's processes in order of start, without those that the environment makes unnecessary."""
    skipped = {name for name, variable in (("redis", "REDIS_URL"), ("mail", "SMTP_URL")) if given.get(variable)}
    commands = {name: words for name, words in procfile.parse(text).items() if name not in skipped}
    width = max(map(len, commands), default=0)
    return [Process(name, commands[name], env, width) for name in in_order(commands)]


def in_order(names: Iterable[str]) -> list[str]:
    """Those in ORDER first, then the others as in the Procfile."""
    return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def with_our_programs(env: dict[str, str]) -> dict[str, str]:
    """Put the programs beside this Python (gunicorn, sealedmove) first on PATH, activated or not."""
    return {**env, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', '')}"}


def stop_on_signals() -> threading.Event:
    return stopping.on_signals(signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def remember(data_dir: Path, processes: Iterable[Process], watch: Watchdog) -> None:
    pids = [process.pid for process in processes]
    watch.tell(pids)
    data_lock.remember(data_dir, pids)


def print_addresses(env: Mapping[str, str]) -> None:
    site, link = env["PUBLIC_URL"], welcome(env)
    print(f"\n  site  {site}/\n  API   {site}/v1/docs", flush=True)
    if env["SMTP_URL"] == f"smtp://127.0.0.1:{env['SMTP_PORT']}":
        print(f"  mail  http://127.0.0.1:{env['MAIL_PAGE_PORT']}/", flush=True)
    for host in filter(None, env["HOSTS"].split(",")):
        print(f"  net   http://{host}/  to read; signing in there needs HTTPS", flush=True)
    if link is not None:
        print(f"\n  Play: {link}\n        signs you in on this machine; works once, within half an hour", flush=True)
    print(f"\n  data  {env['DATA_DIR']}\n\n  Ctrl-C stops everything.\n", flush=True)


def welcome(env: Mapping[str, str]) -> str | None:
    """A link that signs in the person at this machine; None where others can reach the server too."""
    if env["HOST"] not in HERE or urlsplit(env["PUBLIC_URL"]).hostname not in HERE or env["HOSTS"]:
        return None
    made = subprocess.run(["sealedmove", "welcome"], env=dict(env), check=False, capture_output=True, text=True)
    return made.stdout.strip() or None
