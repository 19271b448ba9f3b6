"""A real Postfix of this machine, alone in a temporary folder, because no library behaves like a real mail server.

It is searched where the distribution installs it, or under `POSTFIX_ROOT`, where the package was only unpacked. It
starts its parts as users of their own, which needs root; otherwise `why_not` gives the reason.
"""

from __future__ import annotations

import grp
import os
import pwd
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.kit.patience import PATIENCE, until
from tests.running import MARK
from tests.servers import free

QUEUES = "active bounce corrupt defer deferred flush hold incoming maildrop pid private public saved trace"
OWNERS, GROUPS, OTHERS = ("postfix", "nobody"), ("postdrop", "staff", "games"), "daemon"  # installed; only unpacked
SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
proxymap unix - - n - - proxymap
tlsmgr unix - - n 1000? 1 tlsmgr
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""


def root() -> Path:
    return Path(os.environ.get("POSTFIX_ROOT", "/"))


def programs() -> Path | None:
    """Where its daemons are."""
    found = (root() / "usr/lib/postfix/sbin", root() / "usr/libexec/postfix")
    return next((folder for folder in found if (folder / "master").is_file()), None)


def why_not() -> str | None:
    """Why it cannot run here; None if it can."""
    if programs() is None:
        return "there is no Postfix here (apt-get install postfix, or POSTFIX_ROOT)"
    return None if os.geteuid() == 0 else "Postfix starts as root"


@contextmanager
def running(routes: Mapping[str, str], settings: Mapping[str, str]) -> Iterator[tuple[int, Path]]:
    """Its port and its log. `routes` are domains and their transports, `settings` the configuration of a deployment."""
    with tempfile.TemporaryDirectory(prefix="sealedmove-postfix-", ignore_cleanup_errors=True) as home:
        folder, port = Path(home), free.ports(1)[0]
        folder.chmod(0o755)
        _lay_out(folder, port, routes, settings)
        daemon = programs()
        assert daemon is not None
        words = [str(daemon / "master"), "-c", str(folder / "etc"), "-d"]
        with (folder / "out").open("wb") as out:
            process = subprocess.Popen(words, env=_environment(), stdout=out, stderr=out, start_new_session=True)
        try:
            await_greeting(process, port, [folder / "out", folder / "log"])
            yield port, folder / "log"
        finally:
            end(process)


def _lay_out(folder: Path, port: int, routes: Mapping[str, str], settings: Mapping[str, str]) -> None:
    owner = pwd.getpwnam(_first(OWNERS, [user.pw_name for user in pwd.getpwall()]))
    for name in ("etc", "queue", "data"):
        (folder / name).mkdir()
    for name in QUEUES.split():
        made = folder / "queue" / name
        made.mkdir()
        os.chown(made, 0 if name == "pid" else owner.pw_uid, 0 if name == "pid" else -1)
    os.chown(folder / "data", owner.pw_uid, -1)
    told = _main(folder, routes) | settings
    (folder / "etc/main.cf").write_text("".join(f"{name} = {value}\n" for name, value in told.items()))
    (folder / "etc/master.cf").write_text(SERVICES.format(port=port))


def _main(folder: Path, routes: Mapping[str, str]) -> dict[str, str]:
    return {
        "compatibility_level": "3.6",
        "queue_directory": str(folder / "queue"),
        "data_directory": str(folder / "data"),
        "daemon_directory": str(programs()),
        "command_directory": str(root() / "usr/sbin"),
        "shlib_directory": "no",
        "mail_owner": _first(OWNERS, [user.pw_name for user in pwd.getpwall()]),
        "setgid_group": _first(GROUPS, [group.gr_name for group in grp.getgrall()]),
        "default_privs": OTHERS,
        "import_environment": "LD_LIBRARY_PATH MAIL_CONFIG PATH",
        "maillog_file": str(folder / "log"),
        "maillog_file_prefixes": str(folder),
        "myhostname": "relay.example",
        "mydestination": "",
        "local_recipient_maps": "",
        "alias_maps": "",
        "inet_interfaces": "127.0.0.1",
        "inet_protocols": "ipv4",
        "mynetworks": "127.0.0.0/8",
        "smtp_dns_support_level": "disabled",
        "relay_domains": " ".join(routes),
        "transport_maps": "inline:{" + ", ".join(f"{{{name} = {where}}}" for name, where in routes.items()) + "}",
        "minimal_backoff_time": "1s",
        "maximal_backoff_time": "2s",
        "queue_run_delay": "1s",
    }


def _first(wanted: Sequence[str], there: Sequence[str]) -> str:
    return next(name for name in wanted if name in there)


def _environment() -> dict[str, str]:
    libraries = str(root() / "usr/lib/postfix")
    return {
        "PATH": os.environ.get("PATH", ""),
        "LD_LIBRARY_PATH": libraries,
        "LC_ALL": "C",
        MARK: os.environ.get(MARK, ""),
    }


def await_greeting(process: subprocess.Popen[bytes], port: int, logs: Sequence[Path]) -> None:
    """Wait until it speaks SMTP; return its log if it does not."""

    def said() -> str:
        told = "".join(path.read_text(errors="replace") for path in logs if path.exists())
        return f"it does not start: {told[-2000:]}"

    def greets() -> bool:
        assert process.poll() is None, said()
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), PATIENCE) as wire:
            return wire.recv(4).startswith(b"220")
        return False

    until(greets, said)


def end(process: subprocess.Popen[bytes]) -> None:
    """With all of its parts, which are a group of their own."""
    process.terminate()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait(PATIENCE)
