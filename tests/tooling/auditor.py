"""`python -m tests.tooling.auditor FOLDER`: the auditor as one file, `sealedmove-audit.pyz`, its libraries beside it.

The file has the engine with the rules of all games, the command `sealedmove audit`, and click. It is the same to the
byte wherever it is built from the same sources: sorted entries, one time, no compression (which differs among versions
of zlib) and no compiled code. msgspec and PyNaCl are compiled for one kind of machine, so they lie in a folder beside.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib import metadata
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAME, LIBRARIES = "sealedmove-audit.pyz", "sealedmove-audit-libraries"
CLIENT = (
    "archive.py", "archive_progress.py", "atomic_files.py", "errors.py", "folders.py", "input_files.py", "pins.py",
    "parallel_audit.py", "saved_mails.py", "commands/audit.py", "commands/audit_folder.py", "commands/server_keys.py",
)  # fmt: skip
COMPILED = ("msgspec", "pynacl", "cffi")  # of the last only the module that PyNaCl loads
LOADED = ("msgspec/", "nacl/", "_cffi_backend.")
FIRST = "#!/usr/bin/env python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)
MAIN = '''\
"""Starts the auditor with the libraries that lie beside it, or with those of this Python."""

import os
import sys

if sys.version_info < (3, 11):
    print("Error: the auditor needs Python 3.11 or later.", file=sys.stderr)
    sys.exit(2)
here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(here, "{libraries}"))
try:
    import msgspec, nacl.bindings
except ImportError as error:
    print("Error: the auditor needs msgspec and PyNaCl, for this Python and this machine:", error, file=sys.stderr)
    print("Install them into the folder {libraries} beside it:", file=sys.stderr)
    print("  python3 -m pip install --target {libraries} {pins}", file=sys.stderr)
    sys.exit(2)

import click
from client.commands.audit import main

click.version_option("{version}", prog_name="sealedmove-audit")(main)(prog_name="sealedmove-audit")
'''


def build(root: Path = ROOT) -> bytes:
    """The bytes of the auditor from the sources in `root`."""
    out = BytesIO(FIRST.encode())
    out.seek(0, 2)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(contents(root)):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def contents(root: Path) -> Iterator[tuple[str, bytes]]:
    """The files inside, by name. Modules loaded later are beside the code that loads them."""
    for folder, pattern in (("engine", "**/*.py"), ("client", "__init__.py"), ("client", "commands/__init__.py")):
        for path in (root / folder).glob(pattern):
            yield path.relative_to(root).as_posix(), path.read_bytes()
    for name in (*(f"client/{name}" for name in CLIENT), "LICENSE", "NOTICE"):
        yield name, (root / name).read_bytes()
    for path in metadata.files("click") or ():
        if path.suffix == ".py":
            yield path.as_posix(), path.read_binary()
        elif path.name == "LICENSE.txt":
            yield "click/LICENSE.txt", path.read_binary()
    yield "__main__.py", _main(root).encode()


def _main(root: Path) -> str:
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    pins = " ".join(f"{name}=={metadata.version(name)}" for name in COMPILED)
    return MAIN.format(version=version, libraries=LIBRARIES, pins=pins)


def copy_libraries(folder: Path) -> None:
    """Copy the parts of the compiled packages that the auditor needs, as installed for this machine."""
    for package in COMPILED:
        for path in metadata.files(package) or ():
            name = path.as_posix()
            if "/licenses/" in name or (name.startswith(LOADED) and "__pycache__" not in name):
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path.locate(), target)


def main(folder: Path) -> None:
    shutil.rmtree(folder / LIBRARIES, ignore_errors=True)
    copy_libraries(folder / LIBRARIES)
    data = build()
    (folder / NAME).write_bytes(data)
    (folder / NAME).chmod(0o755)
    line = f"{hashlib.sha256(data).hexdigest()}  {NAME}\n"
    (folder / f"{NAME}.sha256").write_text(line)
    sys.stdout.write(line)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
