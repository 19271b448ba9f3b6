"""Types of msgspec are read before two threads can be the first to use one: that ends a process (SIGSEGV)."""

import subprocess
import sys
from pathlib import Path

import pytest

FIRST_USE = """
import sys, threading, msgspec
from engine import struct_types

def nested():
    kind = int
    for depth in range(6):
        kind = msgspec.defstruct("Box", [(f"field{n}", kind | None, None) for n in range(6)])
    return kind

def use(kind, together):
    together.wait()
    msgspec.json.decode(b'{"field5":' * 6 + b"5" + b"}" * 6, type=kind)

def use_at_once(kind):
    together = threading.Barrier(4)
    threads = [threading.Thread(target=use, args=(kind, together)) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()

sys.setswitchinterval(1e-6)
kinds = [nested() for _ in range(100)]
struct_types.read_all()  # without this line, the process ends with a segmentation fault
for kind in kinds: use_at_once(kind)
"""
SERVER = """
from engine import struct_types
from server.http.app import create_app
from server.kernel.config import Settings

create_app(Settings(master=bytes(32), database_url="sqlite:///none.db", public_url="http://localhost"))
assert not struct_types.unread(), struct_types.unread()
"""
WORKERS = """
import workers.replies.main, workers.worker, workers.dispatch
from engine import struct_types
from server.kernel.config import Settings
from server.kernel.services import open_services

open_services(Settings(master=bytes(32), database_url="sqlite:///none.db", public_url="http://localhost"))
assert not struct_types.unread(), struct_types.unread()
"""


@pytest.mark.parametrize("program", [FIRST_USE, SERVER, WORKERS], ids=["any", "server", "workers"])
def test_no_thread_is_the_first_to_read_a_type(program: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
