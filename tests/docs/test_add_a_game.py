"""docs/add-a-game.md works: its files and its commands, in a copy of the project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parents[2]
PAGE = (HOUSE / "docs" / "add-a-game.md").read_text()
FILES = re.compile(r"File `([^`]+)`:\n\n```(?:python|markdown)\n(.*?)```", re.DOTALL)
PLUGINS = "-p pytest_socket -p pytest_timeout"  # pyproject.toml sets their options; all plugins take a second more
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def test_a_newcomer_can_follow_the_page(tmp_path: Path) -> None:
    """Each file is written and each command run as on the page, and the suite passes for the new game."""
    for part in ("engine", "client", "docs", "tests", "sealedmove.py", "pyproject.toml"):
        source = HOUSE / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / part)
    for name, text in FILES.findall(PAGE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    printed = "".join(_run(command, tmp_path) for block in COMMANDS.findall(PAGE) for command in block.splitlines())
    assert re.search(r"\d{2,} passed", printed)
    assert "Nim, 3 seats, 20 random games" in printed


def _run(command: str, folder: Path) -> str:
    python = f"{sys.executable} -m"
    command = re.sub(r"^sealedmove", f"{python} sealedmove", command)
    command = re.sub(r"^pytest", f"{python} pytest {PLUGINS} -p no:cacheprovider --noconftest -q", command)
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
