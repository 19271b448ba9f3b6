"""A real OpenSMTPD of this machine in its own root, since its folders are fixed: all needed files are copied there.

It is searched where the distribution installs it, or under `OPENSMTPD_ROOT`, where the package was only unpacked.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.running import MARK
from tests.servers import free
from tests.servers.postfix import await_greeting, end

DAEMON, HELPERS = "usr/sbin/smtpd", "usr/libexec/opensmtpd"
USERS = ("root:x:0:0::/:/bin/sh", "opensmtpd:x:990:990::/:/bin/sh", "opensmtpq:x:991:991::/:/bin/sh")
TAKER = "nobody:x:65534:65534::/:/bin/sh"  # the user for forwarding mail


def root() -> Path:
    return Path(os.environ.get("OPENSMTPD_ROOT", "/"))


def why_not() -> str | None:
    """Why it cannot run here; None if it can."""
    if not (root() / HELPERS / "mail.lmtp").is_file():
        return "there is no OpenSMTPD here (apt-get install opensmtpd, or OPENSMTPD_ROOT)"
    return None if os.geteuid() == 0 else "OpenSMTPD starts as root"


@contextmanager
def running(settings: str) -> Iterator[tuple[int, Path]]:
    """Its port and its log. `settings` is the configuration of a deployment, with its tables, actions and matches."""
    with tempfile.TemporaryDirectory(prefix="sealedmove-opensmtpd-", ignore_cleanup_errors=True) as home:
        folder, port = Path(home), free.ports(1)[0]
        folder.chmod(0o755)
        _lay_out(folder)
        (folder / "etc/smtpd.conf").write_text(f"listen on 127.0.0.1 port {port}\n{settings}")
        words = ["chroot", str(folder), f"/{DAEMON}", "-d", "-f", "/etc/smtpd.conf"]
        with (folder / "log").open("wb") as out:
            process = subprocess.Popen(words, env=_environment(), stdout=out, stderr=out, start_new_session=True)
        try:
            await_greeting(process, port, [folder / "log"])
            yield port, folder / "log"
        finally:
            end(process)


def _environment() -> dict[str, str]:
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", MARK: os.environ.get(MARK, "")}


def _lay_out(folder: Path) -> None:
    for name in ("etc", "tmp", "dev", "var/run", "var/spool/smtpd", "var/lib/opensmtpd/empty", "bin", HELPERS):
        (folder / name).mkdir(parents=True)
    (folder / "tmp").chmod(0o1777)
    (folder / "var/spool/smtpd").chmod(0o711)
    (folder / "etc/passwd").write_text("\n".join((*USERS, TAKER)) + "\n")
    names = [line.split(":")[0::2][:2] for line in (*USERS, TAKER)]
    (folder / "etc/group").write_text("".join(f"{name}:x:{number}:\n" for name, number in names))
    (folder / "etc/mailname").write_text("relay.example\n")
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n")
    for device, (major, minor) in {"null": (1, 3), "urandom": (1, 9), "random": (1, 8)}.items():
        os.mknod(folder / "dev" / device, 0o666 | 0o020000, os.makedev(major, minor))
        (folder / "dev" / device).chmod(0o666)
    for name in (DAEMON, "usr/sbin/smtpctl", *(f"{HELPERS}/{path.name}" for path in (root() / HELPERS).iterdir())):
        _copy(root() / name, folder / name, folder)
    _copy(Path("/bin/sh"), folder / "bin/sh", folder)


def _copy(program: Path, to: Path, folder: Path) -> None:
    """With the libraries that it loads."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(program, to)
    said = subprocess.run(["ldd", program], capture_output=True, text=True, env=_libraries(), check=False).stdout
    for found in re.findall(r"(/\S+) \(0x", said):
        place = folder / "lib64" / Path(found).name if "ld-linux" in found else folder / "lib" / Path(found).name
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, place)


def _libraries() -> dict[str, str]:
    more = [str(path) for path in (root() / "usr/lib").glob("*-linux-gnu")]
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(more)}
