"""Processes that should read mails, but start late or not at all; a new process finds them by their names."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from pathlib import Path

from tests.kit.patience import until
from workers.replies import child

serve = child._serve


def late(line: Connection, cpu: float, memory: int) -> None:
    """It starts once there is the file that `MAY_START` names."""
    until(Path(os.environ["MAY_START"]).exists, "it may not start")
    serve(line, cpu, memory)


def dead(*_: object) -> None:
    os._exit(3)
