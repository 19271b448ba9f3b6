"""The voice of the project, as far as a pattern can hold it: `python -m tests.tooling.voice [PATH]...`.

A sentence that breaks a rule is rewritten, or has an entry with its reason in `voice_exceptions.toml`; an entry that
nothing needs any more is a finding too. Code in backticks is not read.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import msgspec

from tests.tooling.sentences import Sentence, read, tracked

EXCEPTIONS = Path(__file__).with_name("voice_exceptions.toml")
INWARD = frozenset(("docstring", "comment", "test"))  # everything else is shown to users
PROSE = frozenset(("docs", "guide", "adr", "readme", "changelog", "page", "error", "advice", "refusal", "event", "api"))
BEGINS = r"(?:^\W*|[.:;!?]\s+)"
BEFORE = r"(?:to|of|for|by|from|with|on|in|at|about|than|as|upon)"
BE = r"(?:is|are|was|were|be|been|isn't)"
NOT_THERE = r"(?<!there )(?<!there may )(?<!there can )(?<!there will )"
VERB = r"(?:is|are|was|were|has|had|may|must|can|stands?)"


class Rule(msgspec.Struct, frozen=True):
    """A pattern that no sentence has, and what to write instead; `holds` says of which kinds."""

    name: str
    pattern: re.Pattern[str]
    instead: str
    holds: frozenset[str] | None = None  # of all kinds
    spares: frozenset[str] = frozenset()


RULES = (
    Rule("he", re.compile(r"\b(?:he|him|his|himself|she|her|hers)\b(?!/)", re.IGNORECASE), "you, they, the player"),
    Rule(
        "is-no",
        re.compile(rf"{NOT_THERE}\b{BE} (?:no (?!longer|more than|fewer|less|later|matter)|none of)", re.IGNORECASE),
        "is not a, is not one of",
    ),
    Rule("who", re.compile(rf"{BEGINS}(?:who|whose|whoever)\b(?![^.?!]*\?)", re.IGNORECASE), "players who, anyone who"),
    Rule("what", re.compile(rf"{BEGINS}What(?! to\b)\b(?=[^?!]*\.)(?![^.?!]*\?)"), "name the thing", spares=INWARD),
    Rule("to-who", re.compile(rf"\b{BEFORE} (?:who|whose)\b(?! else)", re.IGNORECASE), "to players who, of anyone who"),
    Rule("of-what", re.compile(rf"\b{BEFORE} what {VERB}\b", re.IGNORECASE), "name the thing", spares=INWARD),
    Rule("upon", re.compile(r"\bupon\b", re.IGNORECASE), "on, after"),
    Rule("as-may-be", re.compile(r"\bas (?:it |they )?(?:may|must|should) be\b", re.IGNORECASE), "say the limit"),
    Rule("spaces", re.compile(r"\w[,.;:!?]?  +\w"), "one space", holds=PROSE),
    Rule("quotes", re.compile(r"[“”][^\n]*\"|\"[^\n]*[“”]|[‘’][^\n]*\w'\w|\w'\w[^\n]*[‘’]"), "one kind of quotes"),
)


class Found(msgspec.Struct, frozen=True):
    """A rule that a sentence breaks, with the words that break it."""

    sentence: Sentence
    rule: Rule
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.sentence.path}:{self.line}: {self.rule.name}: {self.words!r} -> {self.rule.instead}"


class Spared(msgspec.Struct, frozen=True):
    """An exception: sentences of this path that hold `text` may break this rule."""

    path: str
    rule: str
    text: str
    reason: str

    def covers(self, found: Found) -> bool:
        """The rule, the file and the words are those of the finding."""
        return (
            self.rule == found.rule.name
            and fnmatch(found.sentence.path, self.path)
            and self.text in " ".join(found.sentence.text.split())
        )


def spared() -> tuple[Spared, ...]:
    """The list of exceptions."""
    listed = tomllib.loads(EXCEPTIONS.read_text("utf-8")).get("exception", [])
    return tuple(msgspec.convert(one, Spared) for one in listed)


def breaches(sentences: Iterable[Sentence]) -> Iterator[Found]:
    """Every breach of a rule in these sentences."""
    for sentence in sentences:
        text = re.sub(r"`[^`\n]+`", "`code`", sentence.text)
        for rule in RULES:
            if sentence.kind in rule.spares or (rule.holds is not None and sentence.kind not in rule.holds):
                continue
            for met in rule.pattern.finditer(text):
                begin = met.start() + len(met[0]) - len(met[0].lstrip())
                line = sentence.line + text.count("\n", 0, begin)
                yield Found(sentence, rule, line, " ".join(text[begin : met.end() + 24].split()))


def judged(paths: Iterable[str]) -> Iterator[str]:
    """A line for each breach that no exception covers, and for each exception of these files that covers none."""
    paths = list(paths)
    exceptions, used = spared(), set()
    for found in breaches(read(paths)):
        covering = [one for one in exceptions if one.covers(found)]
        used.update(covering)
        if not covering:
            yield str(found)
    for one in exceptions:
        if one not in used and any(fnmatch(path, one.path) for path in paths):
            yield f"{EXCEPTIONS.name}: nothing needs the exception {one.rule!r} for {one.text!r} in {one.path}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only these files, by the start of their path")
    asked = parser.parse_args()
    held = [path for path in tracked() if path.startswith(tuple(asked.paths) or "")]
    lines = list(judged(held))
    sys.stdout.write("".join(f"{line}\n" for line in lines) + f"voice: {len(lines)} in {len(held)} files\n")
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
