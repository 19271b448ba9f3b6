"""Every sentence of the project with its place: `python -m tests.tooling.sentences [--only PART ...]`.

PART is a kind (`docstring`, `mail`, ...) or the start of a path. Each kind of file is read by its own parser. Code that
the format marks as a block stays out.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from html.parser import HTMLParser
from pathlib import Path

import jinja2
import msgspec
from markdown_it import MarkdownIt

from tests.generated.tools import node

ROOT = Path(__file__).parents[2]
SCRIPT_READER = Path(__file__).with_name("scripts.mjs")
LEFT_OUT = (  # others' words, data, and files generated from sentences that are read at their source
    "*/vendor/*",
    "server/http/static/bundle/*",
    "*/golden/*",
    "conformance/vectors/*",
    "openapi/clients/*",
    "tests/audit/releases/*",
    "tests/games/*/boards/*",
    "tests/workers/replies/corpus/*",
    "tests/workers/mails/*",
    "docs/ways/*",
    "requirements/*",
    "*.svg",
)
KINDS = (  # the kind of a string in Python, by its file
    ("server/kernel/errors.py", "error"),
    ("*/advice.py", "advice"),
    ("engine/record/laws/*", "law"),
    ("engine/record/*", "law"),
    ("engine/games/*/refusals.py", "refusal"),
    ("engine/games/*/events*", "event"),
    ("engine/games/*", "game"),
    ("engine/*", "engine"),
    ("client/*", "command"),
    ("sealedmove.py", "command"),
    ("workers/dev/*", "command"),
    ("workers/*", "mail"),
    ("examples/*", "example"),
    ("server/*", "server"),
)
DOCUMENTS = (
    ("CHANGELOG.md", "changelog"),
    ("engine/games/*/guide.md", "guide"),
    ("docs/adr/*", "adr"),
    ("docs/spec/*", "spec"),
    ("*/README.md", "readme"),
    ("*", "docs"),
)
WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? +[A-Za-z{`]")
SHOWN = ("alt", "title", "placeholder", "aria-label", "content", "summary")
INLINE = frozenset(("a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "small", "span", "strong", "time", "output"))
MARKDOWN = MarkdownIt("commonmark").enable("table")
JINJA = jinja2.Environment(autoescape=True)


class Sentence(msgspec.Struct, frozen=True):
    """A sentence, or the few that stand together."""

    path: str
    line: int
    kind: str
    text: str


def tracked() -> list[str]:
    """The files of the project, also those that are about to be added."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return [name for name in listed if name and not any(fnmatch(name, out) for out in LEFT_OUT)]


def read(paths: Iterable[str]) -> Iterator[Sentence]:
    """All sentences of these files, in their order; the scripts come last."""
    scripts = []
    for path in paths:
        if path.endswith((".js", ".mjs")):
            scripts.append(path)
        elif (ROOT / path).is_file():
            yield from _read_file(path, (ROOT / path).read_text("utf-8", "replace"))
    if scripts:
        yield from _scripts(scripts)


def _read_file(path: str, text: str) -> Iterator[Sentence]:
    if path.endswith(".py"):
        yield from python(path, text)
    elif path.endswith(".md"):
        yield from markdown(path, text)
    elif "/templates/" in path and path.endswith((".html", ".txt")):
        yield from template(path, text)
    elif path == "openapi/openapi.json":
        yield from document(path, text)


def _kind(table: Iterable[tuple[str, str]], path: str) -> str:
    return next((kind for pattern, kind in table if fnmatch(path, pattern)), "string")


# --- Python ---------------------------------------------------------------------------------------------------------


def python(path: str, text: str) -> Iterator[Sentence]:
    """Docstrings, comments, names of tests; strings of more than one word, but not those of tests."""
    reader = _Python(path)
    reader.visit(ast.parse(text))
    yield from reader.found
    yield from _comments(path, text.split("\n"), reader.spans)


class _Python(ast.NodeVisitor):
    def __init__(self, path: str) -> None:
        self.path, self.kind = path, _kind(KINDS, path)
        self.is_test = path.startswith("tests/")
        self.found: list[Sentence] = []
        self.spans: dict[int, list[tuple[int, float]]] = {}  # of strings, by line: what hides a `#`

    def visit_Module(self, made: ast.Module) -> None:
        self._documented(made)

    def visit_ClassDef(self, made: ast.ClassDef) -> None:
        self._documented(made)

    def visit_FunctionDef(self, made: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if self.is_test and made.name.startswith("test_"):
            self._add(made.lineno, "test", made.name.removeprefix("test_").replace("_", " "))
        self._documented(made)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast calls

    def _documented(self, made: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        first = made.body[0] if made.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            self._span(first.value)
            self._add(first.lineno, "docstring", first.value.value)
            made.body = made.body[1:]
        self.generic_visit(made)

    def visit_Constant(self, made: ast.Constant) -> None:
        if isinstance(made.value, (str, bytes)):
            self._span(made)
        if isinstance(made.value, str):
            self._string(made.lineno, made.value)

    def visit_JoinedStr(self, made: ast.JoinedStr) -> None:
        self._span(made)
        parts = [
            str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
            for part in made.values
            if isinstance(part, (ast.Constant, ast.FormattedValue))
        ]
        self._string(made.lineno, "".join(parts))
        for part in made.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Call(self, made: ast.Call) -> None:
        called = ast.unparse(made.func)
        if called.startswith("re.") or called.endswith(("fullmatch", "exec_driver_sql")):
            for given in made.args:
                if isinstance(given, (ast.Constant, ast.JoinedStr)):
                    self._span(given)
                else:
                    self.visit(given)
            return
        self.generic_visit(made)

    def _string(self, line: int, text: str) -> None:
        if not self.is_test and WORDS.search(text):
            self._add(line, self.kind, text)

    def _add(self, line: int, kind: str, text: str) -> None:
        self.found.append(Sentence(self.path, line, kind, text))

    def _span(self, made: ast.expr) -> None:
        last = made.end_lineno or made.lineno
        for line in range(made.lineno, last + 1):
            begins = made.col_offset if line == made.lineno else 0
            ends = made.end_col_offset if line == last and made.end_col_offset is not None else float("inf")
            self.spans.setdefault(line, []).append((begins, ends))


def _comments(path: str, lines: list[str], spans: dict[int, list[tuple[int, float]]]) -> Iterator[Sentence]:
    """Comments on lines below each other are one text."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        said = _comment(line, spans.get(number, ())) if "#" in line else None
        goes_on = said is not None and line.lstrip().startswith("#")
        if block and not goes_on:
            yield Sentence(path, number - len(block), "comment", "\n".join(block))
            block = []
        if said is not None and goes_on:
            block.append(said)
        elif said:
            yield Sentence(path, number, "comment", said)


def _comment(line: str, spans: Iterable[tuple[int, float]]) -> str | None:
    octets = line.encode()
    at = octets.find(b"#")
    while at >= 0 and any(begins <= at < ends for begins, ends in spans):
        at = octets.find(b"#", at + 1)
    if at < 0:
        return None
    said = octets[at + 1 :].decode().strip()
    return re.sub(r"(?:^|# )(?:noqa|type: ignore|fmt|pragma)\b[^#]*?(?: - |  # |$)", "", said)


# --- templates ------------------------------------------------------------------------------------------------------


def template(path: str, text: str) -> Iterator[Sentence]:
    """The text of a template: values in braces, choices side by side with a bar between them."""
    kind = "mail" if path.startswith("workers/mail") else "page"
    plain = "".join(_without_jinja(text))
    if path.endswith(".html"):
        reader = _Html()
        reader.feed(plain)
        reader.close()
        reader.flush()
        pieces = reader.found
    else:
        pieces = list(_paragraphs(plain))
    for line, said in pieces:
        if re.search(r"[A-Za-z]{2}", re.sub(r"\{[^{}]*\}", "", said)):
            yield Sentence(path, line, kind, said)


def _without_jinja(text: str) -> Iterator[str]:
    """The template with each tag replaced by what it shows, line by line as before."""
    inside: list[tuple[str, str]] = []
    for _, token, value in JINJA.lex(text):
        if token == "data":
            yield value
        elif token in ("comment", "raw_begin", "raw_end"):
            yield "\n" * value.count("\n")
        elif token in ("variable_end", "block_end"):
            yield _shown(inside, is_value=token == "variable_end") + "\n" * value.count("\n")
            inside = []
        elif token not in ("variable_begin", "block_begin", "comment_begin", "comment_end"):
            inside.append((token, value))
        else:
            yield "\n" * value.count("\n")


def _shown(tokens: list[tuple[str, str]], *, is_value: bool) -> str:
    words = [value for token, value in tokens if token == "name"]
    lines = "\n" * sum(value.count("\n") for token, value in tokens if token == "whitespace")
    if not is_value:
        bar = " | " if words[:1] in (["else"], ["elif"]) else ""
        return bar + "".join(f" | {said}" for said in _strings(tokens) if words[:1] == ["set"]) + lines
    made, run = "", ""
    for token, value in [*tokens, ("string", "''")]:
        if token != "string":
            run += value
            continue
        run = re.sub(r"^[\s,~(]+|^\w+\($|[\s,~(]+$|^\)+$", "", run.strip())
        made += (f"{{{run}}}" if run and not re.fullmatch(r"[\w.]+\(", run) else "") + value[1:-1].replace("\\n", " ")
        run = ""
    return made + lines


def _strings(tokens: list[tuple[str, str]]) -> Iterator[str]:
    return (value[1:-1] for token, value in tokens if token == "string" and WORDS.search(value))


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    line = 1
    for part in re.split(r"(\n\s*\n)", text):
        if part.strip():
            yield line, part
        line += part.count("\n")


class _Html(HTMLParser):
    """Texts between block elements, and the attributes that people read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self._text, self._line, self._hidden = "", 1, 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style")
        self.found += [(self.getpos()[0], value) for name, value in attrs if name in SHOWN and value]
        self._meet(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style")
        self._meet(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            if not self._text.strip():
                self._text, self._line = "", self.getpos()[0] + len(data) - len(data.lstrip("\n"))
                data = data.lstrip("\n")
            self._text += data

    def _meet(self, tag: str) -> None:
        if tag == "code":
            self._text += "`"
        elif tag not in INLINE:
            self.flush()

    def flush(self) -> None:
        if self._text.strip():
            self.found.append((self._line, self._text))
        self._text = ""


# --- documents, the API, scripts ------------------------------------------------------------------------------------


def markdown(path: str, text: str) -> Iterator[Sentence]:
    """Paragraphs, headings, items and cells; of code only what stands in a line, in its backticks."""
    kind = _kind(DOCUMENTS, path)
    for token in MARKDOWN.parse(text):
        if token.type == "inline" and token.map:
            said = "".join(_spoken(child.type, child.content) for child in token.children or ())
            if said.strip():
                yield Sentence(path, token.map[0] + 1, kind, said)


def _spoken(kind: str, content: str) -> str:
    return {"code_inline": f"`{content}`", "softbreak": "\n", "hardbreak": "\n", "image": content}.get(
        kind, content if kind == "text" else ""
    )


def document(path: str, text: str) -> Iterator[Sentence]:
    """Summaries, descriptions, titles and examples of the API's document."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        lines.setdefault(line.partition(": ")[2].rstrip(","), number)
    said = dict.fromkeys(_described(json.loads(text), "example"))
    yield from (Sentence(path, lines.get(json.dumps(one, ensure_ascii=False), 1), "api", one) for one in said)


def _described(value: object, key: str) -> Iterator[str]:
    if isinstance(value, str):
        if key in ("summary", "description") or (WORDS.search(value) and key not in ("pattern", "$ref")):
            yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _described(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _described(inner, key)


def _scripts(paths: list[str]) -> Iterator[Sentence]:
    done = node(SCRIPT_READER, *paths)
    if done.returncode:
        raise RuntimeError(done.stderr)
    for path, line, kind, text in json.loads(done.stdout):
        if kind != "script" or WORDS.search(text):
            yield Sentence(path, line, kind, text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", metavar="PART", default=[], help="a kind or the start of a path")
    asked = parser.parse_args().only
    for one in read(tracked()):
        if not asked or one.kind in asked or one.path.startswith(tuple(asked)):
            sys.stdout.write(f"{one.path}:{one.line}: {one.kind}: {' '.join(one.text.split())}\n")


if __name__ == "__main__":
    main()
