"""The reader of replies: which commands a person typed, or one word, or why nothing is read (pure).

What parses is a command, before any other test: no rule about quotations may swallow the second half of a turn. All
else ends the reading, if it begins a quotation or a signature; or it is put together with its neighbours, where a mail
program has broken a line; or it is chatter. A move is taken whole or not at all:

    right under a command, and not read     nothing is done: who typed it meant something
    after an empty line                     chatter, and nothing after it may be a command
    before the first command                the same

A quotation that opens the mail is passed over, if its first line says that it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workers.errors import WorkerError
from workers.replies.lines import ALIKE, HARD_WRAP, attribution, normal, stops, typed

MOST_LINES = 400
LONGEST_LINE = 1000  # no command is as long, and rules that look for words in a line stay quick
WORDS = {
    "help": "help",
    "preview": "preview",
    "stop": "stop",
    "stop mail": "stop",
    "unsubscribe": "stop",
    "resign": "resign",
    "give up": "resign",
    "offer seat": "offer",
    "offer my seat": "offer",
}
IsCommand = Callable[[Sequence[str], str], bool]
"""Is this text a command, or several, after those before it?"""


@dataclass(frozen=True)
class ParsedReply:
    """What was typed. `trouble` says why nothing of it is done, and `line` where: `unread`, `late` or `look-alike`."""

    commands: tuple[str, ...] = ()
    word: str = ""
    trouble: str = ""
    line: str = ""


def parse_reply(text: str, knows: IsCommand) -> ParsedReply:
    """The commands or the word of a reply's text."""
    lines = [normal(line[:LONGEST_LINE]) for line in text.splitlines()[:MOST_LINES]]
    first = _blanks(lines, 0)
    if first < len(lines) and not knows((), typed(lines[first])):
        lines = lines[_quoted(lines) :]
    first = _blanks(lines, 0)
    head = typed(lines[first]) if first < len(lines) else ""
    if head and not knows((), head) and not stops(lines, first):
        if head in WORDS and head != "preview":
            return ParsedReply(word=WORDS[head])
        word, _, rest = head.partition(" ")
        if word in ("preview", "preview:"):
            found = _ReplyParser(knows).all([rest, *lines[first + 1 :]])
            return ParsedReply(found.commands, "preview", found.trouble, found.line)
    return _ReplyParser(knows).all(lines)


def _quoted(lines: Sequence[str]) -> int:
    """How many lines at the beginning are a quotation, if the first one says so; 0 else."""
    at = _blanks(lines, 0)
    opens = attribution(lines, at)
    begin = _blanks(lines, at + opens)
    if begin >= len(lines) or not lines[begin].startswith(">"):
        return 0
    at = begin
    while at < len(lines) and (not lines[at] or lines[at].startswith(">")):
        at += 1
    return at


def _blanks(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at]:
        at += 1
    return at


class _UnreadableError(WorkerError):
    """Nothing of the reply is done: `trouble`, and the line at which."""

    def __init__(self, trouble: str, line: str) -> None:
        super().__init__(trouble)
        self.trouble, self.line = trouble, line


class _ReplyParser:
    """The commands so far, top down."""

    def __init__(self, knows: IsCommand) -> None:
        self.knows = knows
        self.commands: list[str] = []
        self.chatter = ""
        self.is_apart = True  # an empty line stands between the last command and here

    def all(self, lines: Sequence[str]) -> ParsedReply:
        try:
            self._read(lines)
        except _UnreadableError as no:
            return ParsedReply(trouble=no.trouble, line=no.line)
        return ParsedReply(tuple(self.commands), line=self.chatter)

    def _read(self, lines: Sequence[str]) -> None:
        at = taken = 0
        while at < len(lines):
            if lines[at]:
                taken = self._take(lines, at)
                if not taken:
                    return
            else:
                self.is_apart, taken = True, 1
            at += taken

    def _take(self, lines: Sequence[str], at: int) -> int:
        """How many lines are read from here on: those of a command, or one of chatter; 0 ends the reading."""
        if self._command(lines[at]):
            return 1
        if stops(lines, at):
            return 0
        for count in (2, 3):
            if (
                len(lines) >= at + count
                and all(lines[at : at + count])
                and self._command(" ".join(lines[at : at + count]))
            ):
                return count
        if not self._goes_on(typed(lines[at])):
            self._talk(lines[at])
        return 1

    def _command(self, line: str) -> bool:
        text = typed(line)
        if not text or not self.knows(self.commands, text):
            return False
        if self.chatter:
            raise _UnreadableError("late", text)
        self.commands.append(text)
        self.is_apart = False
        return True

    def _goes_on(self, text: str) -> bool:
        """The end of a command that was long enough to be broken."""
        if not self.commands or self.is_apart or len(self.commands[-1]) < HARD_WRAP:
            return False
        whole = f"{self.commands[-1]} {text}"
        if not self.knows(self.commands[:-1], whole):
            return False
        self.commands[-1] = whole
        return True

    def _talk(self, line: str) -> None:
        plain = typed(line.translate(ALIKE))
        if plain != typed(line) and self.knows(self.commands, plain):
            raise _UnreadableError("look-alike", line)
        if not self.is_apart:
            raise _UnreadableError("unread", line)
        self.chatter = self.chatter or line
        self.is_apart = True
