"""The bundles of the scripts of pages: `make bundle` writes them, `make check` compares them with the scripts."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from server.http import scripts
from server.http.page import STATIC, script_texts
from tests.generated import tools

FOLDER = STATIC / scripts.BUNDLE
# Modules that several pages share become files of their own, so that each runs once in a page. Not minified: readers
# of what a page runs find the functions under their names, and compressed it makes 20 kB.
OPTIONS = ("--bundle", "--splitting", "--format=esm", "--target=es2023", "--charset=utf8", "--legal-comments=inline")
# Pages of another visit than a game's share nothing with it: shared files would divide those of a game, and each is a
# request more on its first visit.
ALONE = ("lesson.js",)


def write(folder: Path) -> None:
    """Write the bundle of each page's script, the files that they share, and the digest of the scripts in them."""
    entries = sorted((STATIC / "pages").glob("*.js"))
    for together in ([one for one in entries if one.name not in ALONE], *([STATIC / "pages" / name] for name in ALONE)):
        made = tools.program("esbuild", *together, *OPTIONS, f"--outdir={folder}")
        assert made.returncode == 0, made.stdout
    (folder / scripts.MADE_FROM).write_text(f"{scripts.digest(script_texts())}\n", "utf-8")


def check() -> str:
    """The remedy if the bundles were not made from the present scripts; empty if they were."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        same = _files(FOLDER) == _files(Path(folder))
    return "" if same else f"{FOLDER.name}/ is not made from the present scripts: run `make bundle`\n"


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(check() or 0)
    shutil.rmtree(FOLDER, ignore_errors=True)
    write(FOLDER)
