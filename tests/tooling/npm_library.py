"""`python -m tests.tooling.npm_library FOLDER`: the npm package `sealedmove-client`, for programs in Node and browsers.

It has the modules of `client/npm`, and the record's verifier of the pages (`server/http/static/record`), which needs no
page, no network and no store. Types are written from the comments; nothing is minified, and nothing is published.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tests.generated import tools

ROOT = tools.ROOT
SOURCE, RECORD = ROOT / "client" / "npm", ROOT / "server" / "http" / "static" / "record"
FROM_HERE, PACKED = "../../server/http/static/record/", "./record/"  # where a module imports the verifier from
NPM = tools.BIN.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
TYPES = {
    "allowJs": True,
    "checkJs": True,
    "declaration": True,
    "emitDeclarationOnly": True,
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "target": "es2023",
    "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    "types": ["node"],
    "typeRoots": [str(ROOT / "node_modules" / "@types")],
    "module": "nodenext",
    "skipLibCheck": True,
}


def stage(folder: Path) -> None:
    """Copy the modules, with the verifier beside them."""
    shutil.copytree(RECORD, folder / "record")
    for path in SOURCE.glob("*.js"):
        (folder / path.name).write_text(path.read_text("utf-8").replace(FROM_HERE, PACKED), "utf-8")
    for path in (SOURCE / "README.md", ROOT / "LICENSE", ROOT / "NOTICE"):
        shutil.copyfile(path, folder / path.name)
    about = json.loads((SOURCE / "package.json").read_text("utf-8"))
    about["version"] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    (folder / "package.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")


def declare(folder: Path) -> None:
    """Write the types of all modules; SystemExit with the findings if they do not hold."""
    config = folder / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": TYPES, "include": ["*.js", "record/*.js"]}), "utf-8")
    done = tools.program("tsc", "--project", config)
    config.unlink()
    if done.returncode:
        raise SystemExit(done.stdout)


def build(out: Path) -> Path:
    """Pack it into the folder `out`, without any registry."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as source:
        stage(Path(source))
        declare(Path(source))
        pack = [tools.BIN / "node", NPM, "pack", "--silent", "--offline", "--pack-destination", out.absolute()]
        subprocess.run(pack, cwd=source, env=tools.environment(), check=True, stdout=subprocess.PIPE)
    return next(out.glob("sealedmove-client-*.tgz"))


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1]))}\n")
