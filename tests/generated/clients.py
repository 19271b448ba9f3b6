"""Generates the Python and the TypeScript client into build/clients, and checks their types (`make clients`)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.generated import tools
from tests.kit.patience import PATIENCE

ROOT = tools.ROOT
DOCUMENT = ROOT / "openapi" / "openapi.json"
BUILD = ROOT / "build" / "clients"
PYTHON, TYPESCRIPT = BUILD / "python", BUILD / "typescript"


def generate() -> None:
    """Both, anew."""
    shutil.rmtree(BUILD, ignore_errors=True)
    TYPESCRIPT.mkdir(parents=True)
    PYTHON.mkdir()
    config = ROOT / "openapi" / "clients" / "python.yaml"
    where = ["--path", DOCUMENT, "--config", config, "--output-path", PYTHON / "sealedmove_client", "--meta", "none"]
    said = _run(Path(sys.executable).with_name("openapi-python-client"), "generate", *where)
    if "Warning" in said:
        raise SystemExit(said)  # it skips unknown parts without an error
    flags = ["--default-non-nullable=false"]  # a member of a request that has a default may be left out
    made = tools.program("openapi-typescript", DOCUMENT, *flags, "-o", TYPESCRIPT / "schema.d.ts", cwd=BUILD)
    assert made.returncode == 0, made.stdout


def check() -> None:
    """Types of the generated code and of the examples that use it."""
    own = ["--strict", "--config-file=", "--cache-dir", ".mypy_cache/clients"]  # that of `make check` stays as it is
    _run(sys.executable, "-m", "mypy", *own, PYTHON / "sealedmove_client", "examples/play.py")
    found = tools.program("tsc", "--project", "examples/tsconfig.json")
    assert found.returncode == 0, found.stdout


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PYTHON), "MYPYPATH": str(PYTHON)}


def _run(*command: str | Path) -> str:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
    )
    if done.returncode:
        raise SystemExit(done.stdout)
    return done.stdout


if __name__ == "__main__":
    generate()
    check()
    print(f"clients are in {BUILD.relative_to(ROOT)}: python, typescript")  # noqa: T201 - a command prints
