"""Packages of games for tests, installed as Python finds them: a folder on its path with the package's metadata.

`here()` installs Pig and Bids in this process, `ENV` in the environment of another. `package(...)` writes a package.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from engine import registry

FOLDER = Path(__file__).parent / "distribution"
ENV = {"PYTHONPATH": str(FOLDER)}
FAULTY = {"PYTHONPATH": f"{FOLDER}:{Path(__file__).parent / 'faulty/distribution'}"}  # with players that fail


def here() -> None:
    """Install the tiny games for the rest of this process."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
        registry.forget()


def into(folder: Path) -> None:
    """Install the tiny games in a folder that another process has on its path, as `pip install --target` would."""
    code, ignored = FOLDER.parent / "games", shutil.ignore_patterns("__pycache__")
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    shutil.copytree(code, folder / "tests/kit/games", ignore=ignored)


def package(folder: Path, games: Mapping[str, str], name: str = "planted", version: str = "1.0") -> None:
    """Write the metadata of a package into a folder of the path: `games` has the object of each entry point."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = (f"{key} = {where}" for key, where in games.items())
    (info / "entry_points.txt").write_text("\n".join((f"[{registry.GROUP}]", *lines, "")))
