"""Imports between the folders of the pages' scripts (`server/http/static/README.md`), and vendored files."""

import hashlib
import posixpath
import re

import pytest

from server.http import page, scripts

STATIC = page.STATIC
# The folders that each may import from, besides itself; for types too.
MAY = {
    "record": set(),
    "api": set(),
    "ui": set(),
    "keys": {"record", "api"},
    "game": {"record", "api", "keys"},
    "flows": {"record", "api", "keys", "game", "ui"},
    "turn": {"record", "api", "keys", "game", "flows", "ui"},
    "worker": set(),
    "pages": {"record", "api", "keys", "game", "flows", "ui", "turn"},
}
ANY_IMPORT = re.compile(r'(?:from|import)\s*\(?\s*"([^"]+)"')  # static, dynamic, or of a type in a comment
VENDORED = STATIC / "record" / "vendor"


def ours():
    return {name: text for name, text in page.script_texts().items() if "/vendor/" not in name}


def folder(name):
    return name.partition("/")[0]


def test_every_script_is_in_a_folder_of_the_law():
    """And the law names no missing folder."""
    assert {folder(name) for name in ours()} == MAY.keys()


@pytest.mark.parametrize("name", sorted(ours()))
def test_imports_point_one_way(name):
    """A script imports from its own folder and those below it, by a relative path to an existing file."""
    for found in ANY_IMPORT.findall(ours()[name]):
        assert found.startswith(("./", "../")), found
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), found))
        assert target in page.script_texts(), target
        assert folder(target) in {folder(name)} | MAY[folder(name)], target


def test_only_pages_are_entries():
    """No page's script is imported by another, and every other script is loaded by some page."""
    every = page.script_texts()
    entries = [name for name in every if folder(name) == "pages"]
    reached = {one for entry in entries for one in scripts.loaded(entry, every)}
    # By `import()`, when they are needed, or by the browser itself.
    later = {"flows/key-changes.js", "game/seat-keys.js", "game/lost-entries.js", "worker/sw.js"}
    reached |= {one for entry in later for one in scripts.loaded(entry, every)}
    assert every.keys() == reached
    imported = {one for name, text in every.items() for one in scripts.imports(name, text)}
    assert not imported.intersection(entries)


def test_every_entry_is_loaded_by_a_template():
    """And templates load no other script."""
    templates = STATIC.parents[1].rglob("templates/*.html")
    named = {name for path in templates for name in re.findall(r"script\('([^']+)'\)", path.read_text("utf-8"))}
    assert named == {name for name in ours() if folder(name) == "pages"}


def test_no_folder_name_looks_like_a_version():
    """An address with a version is recognised by the length of its first part."""
    assert not [path.name for path in STATIC.iterdir() if len(path.name) == page.DIGITS and path.is_dir()]


def test_vendored_files_are_unchanged():
    """Each has the hash in VENDORED.md, which lists all of them."""
    note = (VENDORED / "VENDORED.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `(.+)` \| `([0-9a-f]{64})` \|", note, re.MULTILINE))
    files = [path for path in VENDORED.rglob("*") if path.is_file() and path.name != "VENDORED.md"]
    found = {str(path.relative_to(VENDORED)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert found == listed


def test_imports_are_read_as_a_browser_reads_them():
    """In one line or several, exported or for their effects; not in comments, nor dynamic ones."""
    text = (
        '// import "./no.js"\n'
        'import { a } from "./a.js";\n'
        'import * as b from "../ui/b.js";\n'
        'import {\n  c,\n  d,\n} from "./c.js";\n'
        'import "./d.js";\n'
        'export { e } from "./e.js";\n'
        'export const text = "./no.js";\n'
        '/** @typedef {import("./no.js").T} T */\n'
        'const later = () => import("./no.js");\n'
    )
    names = ["pages/a.js", "ui/b.js", "pages/c.js", "pages/d.js", "pages/e.js"]
    assert scripts.imports("pages/x.js", text) == names


def test_a_cycle_of_imports_ends():
    """Each script is loaded once, in the browser's order."""
    known = {
        "a/x.js": 'import "./y.js";\nimport "../b/z.js";\n',
        "a/y.js": 'import "./x.js";\n',
        "b/z.js": 'import "../a/y.js";\n',
    }
    assert scripts.loaded("a/x.js", known) == ["a/x.js", "a/y.js", "b/z.js"]
