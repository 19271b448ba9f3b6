"""The environment for everything on one machine: every variable that a process needs, from `PORT` and `DATA_DIR`.

A variable that is already set wins, so `DATABASE_URL=... make run` uses that database. Relative folders are made
absolute, because the processes may not share a working folder.
"""

import os
import re
import secrets
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from workers.dev.redis import socket_path
from workers.errors import WorkerError

MOST_PORT = 65535 - 3


class MasterFileError(WorkerError):
    """The file of the master holds something else."""


class PortError(WorkerError):
    """PORT is not a port, or leaves no room for the ports of the mail page."""


def complete(given: Mapping[str, str]) -> dict[str, str]:
    """`given`, completed with each variable of docs/operate.md; makes DATA_DIR and the master secret.

    Without PLAYERS_DIR if PLAYERS_EACH is 0: `sealedmove house` runs house players if it is set.
    """
    data = Path(given.get("DATA_DIR") or "var").resolve()
    data.mkdir(parents=True, exist_ok=True)
    port, host = _port(given.get("PORT") or "8000"), given.get("HOST") or "127.0.0.1"
    mail_port = given.get("SMTP_PORT") or str(port + 2)
    defaults = {
        "PORT": str(port),
        "HOST": host,
        "DATABASE_URL": f"sqlite:///{data / 'sealedmove.db'}",
        "REDIS_URL": f"unix://{socket_path(data)}",
        "EVENTS_SOCKET": str(socket_path(data, "events")),
        "PUBLIC_URL": f"http://{local_address(host)}:{port}",
        "HOSTS": ",".join(others(host, port)),
        "SMTP_PORT": mail_port,
        "SMTP_URL": f"smtp://127.0.0.1:{mail_port}",
        "MAIL_PAGE_PORT": str(port + 1),
        "MAIL_FROM": "Sealed Move <games@localhost>",
        "SEALEDMOVE_MASTER": given.get("SEALEDMOVE_MASTER") or master(data / "master.key"),
        "PLAYERS_DIR": str(data / "players"),
        "PLAYERS_EACH": "4",
        "PYTHONUNBUFFERED": "1",
    }
    whole = {**defaults, **{name: value for name, value in given.items() if value}, "DATA_DIR": str(data)}
    if whole["PLAYERS_EACH"] == "0":
        del whole["PLAYERS_DIR"]
    return {**_of_system(), **_answers(given, whole, data), **whole}


def _of_system() -> dict[str, str]:
    """To ask macOS for proxies ends a forked process, as those of `sealedmove house` are."""
    return {"no_proxy": "*"} if sys.platform == "darwin" else {}


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST_PORT:
        raise PortError(
            f"PORT must be a number from 1 to {MOST_PORT}, not {text}: the three ports above it are used too"
        )
    return int(text)


def _answers(given: Mapping[str, str], whole: Mapping[str, str], data: Path) -> dict[str, str]:
    """The settings with which mails can be answered on the page, with a key of its own; none if a relay sends them."""
    if given.get("SMTP_URL") or urlsplit(whole["PUBLIC_URL"]).hostname not in ("127.0.0.1", "localhost", "::1"):
        return {}
    inbound = given.get("INBOUND_SMTP") or f"smtp://127.0.0.1:{given.get('INBOUND_PORT') or int(whole['PORT']) + 3}"
    return {
        "REPLY_ADDRESS": "move+{token}@localhost",
        "BOUNCE_ADDRESS": "bounce+{token}@localhost",
        "INBOUND_LISTEN": inbound,
        "INBOUND_SMTP": inbound,
        "DKIM_KEY_FILE": str(data / "mail" / "dkim.txt"),
    }


def local_address(host: str) -> str:
    """An address to reach this machine at, since "all interfaces" is not one."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared, not bound


def others(host: str, port: int) -> list[str]:
    """This machine's address for other machines, if it listens to them: they can read, but not sign in."""
    if local_address(host) == host:
        return []
    known = [one for found in psutil.net_if_addrs().values() for one in found if one.family == socket.AF_INET]
    return sorted({f"{one.address}:{port}" for one in known if one.address != local_address(host)})


def master(path: Path) -> str:
    """The 64 hex digits kept in `path`, made on the first start; readable by its owner alone."""
    with suppress(FileExistsError):
        kept = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(kept, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
    text = path.read_text("utf-8", errors="replace").strip()
    if re.fullmatch("[0-9a-f]{64}", text):
        return text
    raise MasterFileError(
        f"{path} does not hold the 64 hexadecimal digits of a master. Restore it from a copy: the games in "
        f"{path.parent} cannot go on with a different one. If it has no games, remove the file, and a new one is made"
    )
