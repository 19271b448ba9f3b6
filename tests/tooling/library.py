"""`python -m tests.tooling.library FOLDER`: the wheel `sealedmove-client`, for programs that play, check and follow.

It has the engine and the modules of the client that the contract `client-library` in .importlinter lists, and depends
on four libraries. The server and the commands are in the wheel `sealedmove`. Both have the packages `engine` and
`client`, so an environment has one of the two.
"""

from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRACT = "importlinter:contract:client-library"
NEEDS = ("cryptography", "httpx", "msgspec", "pynacl")
PROJECT = """\
[build-system]
requires = {requires}
build-backend = "setuptools.build_meta"

[project]
name = "sealedmove-client"
version = "{version}"
description = "Play and check games of Sealed Move from a program: keys, signed moves, checked logs."
requires-python = "{python}"
license = "MIT"
license-files = ["LICENSE", "NOTICE"]
classifiers = ["Private :: Do Not Upload"]
dependencies = {dependencies}

[tool.setuptools.packages.find]
include = ["engine*", "client*"]

[tool.setuptools.package-data]
"*" = ["*.json", "*.toml", "*.md", "*.svg"]
"""


def modules(root: Path = ROOT) -> list[str]:
    """The library's modules of the client, as the import contract lists them."""
    contracts = configparser.ConfigParser()
    contracts.read(root / ".importlinter", "utf-8")
    return contracts[CONTRACT]["source_modules"].split()


def stage(folder: Path, root: Path = ROOT) -> None:
    """Copy the library's sources, with a project file of their own."""
    shutil.copytree(root / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    names = ["LICENSE", "NOTICE", "client/__init__.py", *(f"{name.replace('.', '/')}.py" for name in modules(root))]
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(root / name, folder / name)
    (folder / "pyproject.toml").write_text(_project(root), "utf-8")


def _project(root: Path) -> str:
    whole = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    project = whole["project"]
    return PROJECT.format(
        requires=whole["build-system"]["requires"],
        version=project["version"],
        python=project["requires-python"],
        dependencies=[one for one in project["dependencies"] if one.startswith(tuple(f"{name}>" for name in NEEDS))],
    )


def build(out: Path, root: Path = ROOT) -> Path:
    """Build the wheel into the folder `out`, without any index."""
    with tempfile.TemporaryDirectory() as source:
        stage(Path(source), root)
        pip = [sys.executable, "-m", "pip", "-q", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
        subprocess.run([*pip, "-w", out, source], check=True)
    return next(out.glob("sealedmove_client-*.whl"))


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1]))}\n")
