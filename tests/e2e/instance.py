"""A whole server, started by `sealedmove run` on free ports in its own folder."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.kit.patience import PATIENCE, until
from tests.servers import free
from workers.dev.environment import complete
from workers.dev.runner import with_our_programs

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("sealedmove")
OURS = ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "SMTP_URL", "MAIL_FROM", "SEALEDMOVE_MASTER", "INBOUND_SMTP")


class Instance:
    """`start`, then `url` and `mail_url` answer; `stop` ends it. `settings` are for this server only."""

    def __init__(self, data_dir: Path, **settings: str) -> None:
        self.data_dir, self.settings = data_dir, {"PLAYERS_EACH": "0", **settings}
        self.port, self.page_port, self.smtp_port, self.inbound_port = free.ports(4)
        self.url = f"http://127.0.0.1:{self.port}"
        self.mail_url = f"http://127.0.0.1:{self.page_port}"
        self.output = ""

    def start(self, program: Path = PROGRAM, cwd: Path = ROOT) -> "Instance":
        """Start it with this program; the usual one is that of the checkout."""
        self.launch(program, cwd)
        until(self.is_up, self.said)
        return self

    def launch(self, program: Path = PROGRAM, cwd: Path = ROOT, **options: Any) -> None:
        """Start it without waiting for it. The options are those of Popen."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        with (self.data_dir / "output").open("ab") as output:
            self.process = psutil.Popen(
                [program, "run"],
                cwd=cwd,
                env=self.environment(),
                stdout=output,
                stderr=subprocess.STDOUT,
                **options,
            )

    def is_up(self) -> bool:
        is_up = "Ctrl-C stops everything" in self.said()
        assert is_up or self.process.poll() is None, self.said()
        return is_up

    def environment(self) -> dict[str, str]:
        ports = {"PORT": self.port, "MAIL_PAGE_PORT": self.page_port, "SMTP_PORT": self.smtp_port}
        ports |= {"INBOUND_PORT": self.inbound_port}
        inherited = {name: value for name, value in os.environ.items() if name not in OURS}
        own = {name: str(port) for name, port in ports.items()} | {"DATA_DIR": str(self.data_dir)}
        return {**inherited, **own, **self.settings}

    def whole_environment(self) -> dict[str, str]:
        """The environment of its processes, for an operator's command."""
        return with_our_programs(complete(self.environment()))

    def said(self) -> str:
        """The output of this start, without earlier ones."""
        return (self.data_dir / "output").read_text("utf-8", errors="replace")[len(self.output) :]

    def healthy(self) -> bool:
        return httpx.get(f"{self.url}/healthz", timeout=PATIENCE).status_code == 200

    def family(self) -> list[psutil.Process]:
        return [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]

    def named(self, word: str) -> list[psutil.Process]:
        """The programs of `house` with this name, and processes with a word of the command line that ends so."""
        found = []
        for one in self.family():
            with suppress(psutil.NoSuchProcess):  # it has just ended
                if one.name() == f"sm-{word}" or any(said.endswith(word) for said in one.cmdline()):
                    found.append(one)
        return found

    def stop(self, number: int = signal.SIGTERM, patience: float = PATIENCE) -> int:
        self.process.send_signal(number)
        status = self.process.wait(patience)
        self.output += self.said()
        return status
