"""A copy of the project whose sentences are about 40 % longer, as in a translation: each vowel is doubled.

Only text for people in pages, mails, boards and pictures is longer. Text for programs stays: notation, markup, names of
fields, links, code, the record. Guides stay too: each is translated as a whole document.
`python -m tests.kit.longer` prints boards, pictures and mails as JSON; run in the copy it prints the longer ones.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.tooling.sentences import JINJA, ROOT, WORDS

KEPT = re.compile(
    r"\{+[^{}]*\}+|`[^`]*`|https?://\S+|\S*[@/_=]\S*|&#?\w+;|%\(?\w+\)?\w?|\[[^\]]*: |\\.|</?[a-z][^<>]*>"
    r"|\b[A-Z]{2,}\b"  # a placeholder, or API
)
VOWELS = re.compile(r"[aeiou]", re.IGNORECASE)
LABEL = re.compile(r"[A-Z][a-z]{2,}")  # one word, as boards and pictures have it
MACHINES = re.compile(r'://|="|sans-serif|monospace|^[A-Z]{2,} |^[\w-]+/|;.*;|%[A-Za-z]')
CODE = re.compile(r"(<(script|style|pre|code|svg)\b.*?</\2>|<[^<>]*>)", re.DOTALL)
SCRIPT = re.compile(r'"[A-Z](?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*"|`[A-Z][^`\n]* [^`\n]*`')
LOWER = ("server/kernel/text.py", "workers/mail/sentences.py", "engine/games/")  # here words without a capital count
LEFT_OUT = ("engine/record/", "server/http/document/", "server/kernel/db/", "server/operate/", "workers/dev/")
FIGURES = ("house.py", "meta.py")  # of a game: they read tables from strings
SCRIPTS_LEFT_OUT = ("/vendor/", "/record/", "/rules/", "/bundle/")
ASKED = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "replace"}
NOT_SHOWN = {"notation", "meta"}


def longer(text: str) -> str:
    """The text with its vowels doubled; facts in braces, code, links and markup stay as they are."""
    made, end = "", 0
    for kept in KEPT.finditer(text):
        made += VOWELS.sub(r"\g<0>\g<0>", text[end : kept.start()]) + kept[0]
        end = kept.end()
    return made + VOWELS.sub(r"\g<0>\g<0>", text[end:])


def write(folder: Path) -> Path:
    """Write the copy. Its processes find it by PYTHONPATH."""
    for name in ("engine", "server", "workers", "client", "openapi"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Procfile", "sealedmove.py"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "tests").symlink_to(ROOT / "tests")
    for part in ("engine", "server", "workers"):
        for path in sorted((folder / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and not name.startswith(LEFT_OUT) and path.name not in FIGURES:
                _rewrite(path, name)
    return folder


def _rewrite(path: Path, name: str) -> None:
    if path.suffix == ".py":
        tree = _Longer(name).visit(ast.parse(path.read_text("utf-8")))
        path.write_text(ast.unparse(ast.fix_missing_locations(tree)), "utf-8")
    elif "/templates/" in name and path.suffix in (".html", ".txt"):
        path.write_text("".join(_template(path.read_text("utf-8"), name)), "utf-8")
    elif path.suffix == ".js" and not any(part in name for part in SCRIPTS_LEFT_OUT):
        path.write_text(SCRIPT.sub(lambda said: longer(said[0]), path.read_text("utf-8")), "utf-8")


class _Longer(ast.NodeTransformer):
    """Lengthens the strings of a module that people read."""

    def __init__(self, name: str) -> None:
        self.game, self.lower = name.startswith("engine/games/"), name.startswith(LOWER)

    def _is_said(self, text: str) -> bool:
        if MACHINES.search(text) and "<" not in text:
            return False
        if not WORDS.search(text):
            return self.game and bool(LABEL.fullmatch(text))
        return self.lower or text[0].isupper() or text[0] == "{" or text.rstrip()[-1] in ".!?:"

    def visit_Constant(self, made: ast.Constant) -> ast.AST:
        if isinstance(made.value, str) and self._is_said(made.value):
            return ast.Constant(_marked_up(made.value))
        return made

    def visit_JoinedStr(self, made: ast.JoinedStr) -> ast.AST:
        parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in made.values]
        if self._is_said("".join(map(str, parts))):
            whole = _marked_up("\0".join(str(part) for part in parts)).split("\0")
            made.values = [
                ast.Constant(said) if isinstance(part, ast.Constant) else part
                for part, said in zip(made.values, whole, strict=True)
            ]
        for part in made.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        return made

    def visit_Expr(self, made: ast.Expr) -> ast.AST:
        return made if isinstance(made.value, ast.Constant) else self.generic_visit(made)

    def visit_ClassDef(self, made: ast.ClassDef) -> ast.AST:
        first, keywords, made.keywords = made.body[0], made.keywords, []
        if self.game and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            first.value = ast.Constant(longer(str(first.value.value)))  # the effect of a command
        self.generic_visit(made)
        made.keywords = keywords
        return made

    def visit_Call(self, made: ast.Call) -> ast.AST:
        called = ast.unparse(made.func)
        if called == "count" and len(made.args) > 1:
            words = [part for part in made.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            for part in words:
                part.value = longer(str(part.value))
            return made
        if called.startswith("re.") or called.rpartition(".")[2] in ASKED:
            return made
        return self.generic_visit(made)

    def visit_Dict(self, made: ast.Dict) -> ast.AST:
        made.values = [self.visit(value) for value in made.values]
        return made

    def visit_Assign(self, made: ast.Assign) -> ast.AST:
        return made if ast.unparse(made.targets[0]) in NOT_SHOWN else self.generic_visit(made)

    def visit_Compare(self, made: ast.Compare) -> ast.AST:
        return made

    visit_Subscript = visit_AnnAssign = visit_MatchValue = visit_Compare  # type: ignore[assignment]  # noqa: N815


def _marked_up(text: str) -> str:
    """Words between tags and outside of the facts, which are marked by a zero byte."""
    first, second = text.find(">"), text.find("<")
    within = '="' in text and first >= 0 and (second < 0 or first < second)
    head, rest = (text[: first + 1], text[first + 1 :]) if within else ("", text)
    return head + "".join(
        part if part.startswith("<") else longer(part) for part in re.split(r"(<[^<>]*(?:>|$))", rest)
    )


def _template(text: str, name: str) -> Iterator[str]:
    """A template with longer words; its tags and code stay."""
    made, kept = "", []
    for _, token, value in JINJA.lex(text):
        if token == "data":
            made += value
        else:
            said = longer(value) if token == "string" and WORDS.search(value) and "/" not in value else value
            kept.append(said)
            made += "\0"
    parts = CODE.split(made) if name.endswith(".html") else [made]
    shown = iter(kept)
    step = 3 if name.endswith(".html") else 1
    for place, part in enumerate(parts):
        if place % step == 2:  # the name of a tag, which belongs to the part before
            continue
        for number, said in enumerate((part if place % step else longer(part)).split("\0")):
            yield next(shown) + said if number else said
    yield "\n"


def drawn() -> dict[str, dict[str, str]]:
    """The boards and pictures of one middle position of each golden game, and the text and HTML of each mail."""
    from client.commands.golden import files  # from the copy, if there is one
    from engine import golden, registry
    from engine.kit import names_of, view
    from tests.workers.letters import ADA, HOUSE, SAMPLES
    from workers.mail.compose import compose

    boards, pictures = {}, {}
    for path in files():
        script = golden.read(path.read_text("utf-8"))
        game, turns = registry.find(script.game), list(golden.play(script))
        for number in (len(turns) // 2, len(turns) - 1):
            seen = view(game, turns[number].state, None)
            name = f"{script.game}/{path.stem}#{number}"
            boards[name] = game.board(seen, names_of(script.seats))
            pictures[name] = game.picture(seen, names_of(script.seats))
    mails = {name: compose(HOUSE, ADA, sample()) for name, sample in SAMPLES.items()}
    text, html = (
        {name: mail.get_body((kind,)).get_content() for name, mail in mails.items()}  # type: ignore[union-attr]
        for kind in ("plain", "html")
    )
    return {"boards": boards, "pictures": pictures, "text": text, "html": html}


if __name__ == "__main__":
    json.dump(drawn(), sys.stdout)
