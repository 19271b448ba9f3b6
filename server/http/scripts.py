"""The scripts that a page loads: the closure of its entry script's imports, computed from the files themselves.

A browser finds an import only once it has read the script that holds it: a chain of imports is as many round trips.
Preloaded, all of them are requested at once. A page loads the bundle of its script (`static/bundle/`, by `make bundle`)
if the bundles were made from the present scripts, and otherwise the scripts themselves: a changed script takes effect
without a build.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping

BUNDLE = "bundle"  # its folder
MADE_FROM = "made-from.txt"  # in the folder: the digest of the scripts that it was made from
# `import ... from "./x.js"`, `import "./x.js"` and `export ... from "./x.js"` at the beginning of a line, as prettier
# and esbuild leave them; `import("./x.js")` loads later, on demand, and is not matched.
STATIC_IMPORT = re.compile(r'^(?:import|export)\b(?:[^"\';]*?\bfrom)?\s*"(\.{1,2}/[^"]+\.js)"', re.MULTILINE)


def digest(texts: Mapping[str, str]) -> str:
    """The digest of all scripts, by their names in the static folder."""
    named = (f"{name}\n{len(text)}\n{text}\n" for name, text in sorted(texts.items()))
    return hashlib.sha256("".join(named).encode()).hexdigest()


def bundled(entry: str) -> str:
    """The name of the bundle that begins with this entry script."""
    return f"{BUNDLE}/{posixpath.basename(entry)}"


def imports(name: str, text: str) -> list[str]:
    """The scripts that this one imports before it runs, by their names in the static folder."""
    folder = posixpath.dirname(name)
    return [posixpath.normpath(posixpath.join(folder, found)) for found in STATIC_IMPORT.findall(text)]


def loaded(entry: str, texts: Mapping[str, str]) -> list[str]:
    """The entry script and all its imports, each once, in the order in which a browser finds them."""
    found = [entry]
    for name in found:  # grows meanwhile
        found += [one for one in dict.fromkeys(imports(name, texts[name])) if one not in found]
    return found
