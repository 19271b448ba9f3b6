"""Parses replies: the commands that a person typed, or one word, or why neither can be read (pure).

A line that parses is a command, whatever else it looks like, so that no rule about quotations can drop half of a turn.
Any other line ends the reply if it begins a quotation or a signature, is joined with the next ones if a mail program
has broken it, or is chatter. A move is taken whole or not at all, so an unreadable line counts by its place:

    right below a command       nothing is done: the line was meant as a command
    below an empty line         chatter: no command may follow
    above the first command     the same

Below the word `say`, alone at the beginning of a paragraph, are the writer's words to the others, to the next empty
line. They are not read as commands, and may come before commands or after them. If the first line below `say` is empty,
as in mails with an empty line below each line, they end at two empty lines or a signature, and may not be commands.

A quotation at the top is skipped if its first line marks it as one. Between and below others no command may follow, as
half of a turn would be lost; other text there is chatter. Also skipped are a bullet or a number before a
command, stars around it, a greeting at the top, and below the commands a closing, the writer's name, their telephone
number or a disclaimer, after which no command may follow. A line with only a full stop, or with `send`, ends the reply.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from engine import replay
from engine.errors import SealedMoveError
from engine.game import Game, State
from engine.kit import notation, parse
from engine.kit.grammar import words_of
from workers.errors import WorkerError
from workers.replies.lines import (
    ALIKE,
    HARD_WRAP,
    IsCommand,
    attribution,
    closes,
    is_greeting,
    known,
    normal,
    stops,
    typed,
    unarmored,
)

MOST_LOOKS = 64  # lines that are tried in the position, in case every line begins like a command
MOST_LINES = 400
LONGEST_LINE = 1000  # longer than any command; keeps searches in a line quick
SHOWN = ("board", "time", "games", "history")  # words for what a reply may ask to see
WORDS = {
    **{word: word for word in SHOWN},
    "help": "help",
    "hint": "hint",
    "preview": "preview",
    "confirm": "confirm",
    "stop": "stop",
    "stop mail": "stop",
    "unsubscribe": "stop",
    "resign": "resign",
    "i resign": "resign",
    "give up": "resign",
    "i give up": "resign",
    "offer seat": "offer",
    "offer my seat": "offer",
}
SAY, MOST_SAID = "say", 10  # the word above words for the table talk; lines
TOO_LONG = "..."  # replaces a line that is longer than any command
CUT = "\0"  # marks where the text was cut; `normal` removes this character from lines


@dataclass(frozen=True)
class ParsedReply:
    """The typed reply; `said` are words for the table talk.

    `trouble`, if nothing is done: `unread`, `late`, `look-alike`, `long`, `silent` or `wordy`; `line` is where.
    """

    commands: tuple[str, ...] = ()
    word: str = ""
    trouble: str = ""
    line: str = ""
    said: str = ""


def parse_reply(text: str, knows: IsCommand, names: Collection[str] = (), *, is_cut: bool = False) -> ParsedReply:
    """The commands or the word in the text of a reply; `names` are words of its writer's name, in lower case.

    If the text `is_cut`, the reply must end before the cut.
    """
    lines = unarmored(_lines(text, is_cut=is_cut))
    first = _blanks(lines, 0)
    if first < len(lines) and not known(knows, (), lines[first]):
        lines = lines[_quoted(lines) :]
        first = _blanks(lines, 0)
        if first < len(lines) and is_greeting(lines[first], knows):
            lines = lines[first + 1 :]
    first = _blanks(lines, 0)
    head = typed(lines[first]) if first < len(lines) else ""
    if head and not known(knows, (), lines[first]) and not stops(lines, first):
        if head in WORDS and head != "preview":
            return ParsedReply(word=WORDS[head])
        word, _, rest = head.partition(" ")
        if word in ("preview", "preview:"):
            found = _ReplyParser(knows, names).all([rest, *lines[first + 1 :]])
            return ParsedReply(found.commands, "preview", found.trouble, found.line, found.said)
    return _ReplyParser(knows, names).all(lines)


class _Line(str):
    """A normalised line that keeps what was typed."""

    __slots__ = ("typed",)
    typed: str

    @classmethod
    def of(cls, line: str) -> _Line:
        made = cls(TOO_LONG if _is_long(line) else normal(line))
        made.typed = line
        return made


def _lines(text: str, *, is_cut: bool) -> list[str]:
    """The normalised lines; the last may be CUT, in place of an incomplete line."""
    every = text.splitlines()
    ends = len(every) - is_cut
    lines: list[str] = [_Line.of(line) for line in every[: min(ends, MOST_LINES)]]
    return [*lines, CUT] if is_cut or ends > MOST_LINES else lines


def _is_long(line: str) -> bool:
    """Too long, also once normalised: some characters become eighteen."""
    return len(line) > LONGEST_LINE or len(unicodedata.normalize("NFKC", line)) > LONGEST_LINE


def _quoted(lines: Sequence[str]) -> int:
    """The number of lines of a quotation at the beginning that its first line marks as one."""
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
    """Nothing in the reply is done, because of `trouble` at this line."""

    def __init__(self, trouble: str, line: str) -> None:
        super().__init__(trouble)
        self.trouble, self.line = trouble, line


class _ReplyParser:
    """Reads the lines from the top and collects the commands."""

    def __init__(self, knows: IsCommand, names: Collection[str]) -> None:
        self.knows = knows
        self.names = names
        self.commands: list[str] = []
        self.said: list[str] = []
        self.chatter = ""
        self.is_closed = False  # the writer has signed
        self.is_apart = True  # there is an empty line after the last command, or no command yet

    def all(self, lines: Sequence[str]) -> ParsedReply:
        try:
            self._read(lines)
        except _UnreadableError as no:
            return ParsedReply(trouble=no.trouble, line=no.line)
        return ParsedReply(tuple(self.commands), line=self.chatter, said="\n\n".join(self.said))

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
        """Read a command of one to three lines, or a line of chatter; returns the number of lines, 0 at the end."""
        if lines[at] == CUT:
            raise _UnreadableError("long", "")
        if self._command(lines[at]):
            return 1
        if typed(lines[at]) == SAY and (at == 0 or not lines[at - 1]):
            return self._say(lines, at)
        if lines[at] == "." or typed(lines[at]) == "send":
            return 0
        if stops(lines, at):
            self._check_below(lines, at)
            return 0
        for count in (2, 3):
            if (
                len(lines) >= at + count
                and all(lines[at : at + count])
                and self._command(" ".join(lines[at : at + count]))
            ):
                return count
        if not self._goes_on(typed(lines[at])):
            self._talk(lines, at)
        return 1

    def _check_below(self, lines: Sequence[str], at: int) -> None:
        """Read what is written between and below quotations: text is named, a command there is too late.

        Below a long line it may be the end of that one, which a mail program has broken, so it is only named.
        """
        while quoted := _quoted(lines[at:]):
            at += quoted
            while at < len(lines) and lines[at] != CUT and not stops(lines, at):
                if len(lines[at - 1]) < HARD_WRAP and self._is_meant(lines[at]):
                    raise _UnreadableError("late", typed(lines[at]))
                if lines[at] and not closes(lines, at, self.names):
                    self.chatter = self.chatter or lines[at]
                at += 1

    def _is_meant(self, line: str) -> bool:
        return typed(line) == SAY or bool(known(self.knows, self.commands, line))

    def _say(self, lines: Sequence[str], at: int) -> int:
        """Read the words below `say`, to the next empty line; returns the number of lines."""
        if self.chatter or self.is_closed:
            raise _UnreadableError("late", SAY)
        words: list[str] = []
        ended = at + 1
        gap = int(lines[ended : ended + 1] == [""])  # Outlook and Thunderbird put an empty line below each line
        while (now := ended + gap * (lines[ended : ended + 1] == [""])) < len(lines):
            if not lines[now] or stops(lines, now) or (gap and words and self._ends_words(lines, now)):
                break
            if lines[now] == CUT:
                raise _UnreadableError("long", "")
            words.append(str(getattr(lines[now], "typed", lines[now])))
            ended = now + 1
        if not words or len(words) > MOST_SAID:
            raise _UnreadableError("wordy" if words else "silent", SAY)
        self.said.append("\n".join(words))
        self.is_apart = True
        return ended - at

    def _ends_words(self, lines: Sequence[str], at: int) -> bool:
        """Do the words of a double-spaced mail end here? A command may be one of them or not, so it is too late."""
        if known(self.knows, self.commands, lines[at]):
            raise _UnreadableError("late", typed(lines[at]))
        return typed(lines[at]) == SAY or closes(lines, at, self.names)

    def _command(self, line: str) -> bool:
        text = known(self.knows, self.commands, line)
        if not text:
            return False
        if self.chatter or self.is_closed:
            raise _UnreadableError("late", text)
        self.commands.append(text)
        self.is_apart = False
        return True

    def _goes_on(self, text: str) -> bool:
        """Is it the rest of a command that a mail program may have broken?"""
        if not self.commands or self.is_apart or len(self.commands[-1]) < HARD_WRAP:
            return False
        whole = f"{self.commands[-1]} {text}"
        if not self.knows(self.commands[:-1], whole):
            return False
        self.commands[-1] = whole
        return True

    def _talk(self, lines: Sequence[str], at: int) -> None:
        line = lines[at]
        plain = typed(line.translate(ALIKE))
        if plain != typed(line) and self.knows(self.commands, plain):
            raise _UnreadableError("look-alike", line)
        if self.commands and not self.chatter and closes(lines, at, self.names):
            self.is_closed = self.is_apart = True
            return
        if not self.is_apart:
            raise _UnreadableError("unread", line)
        self.chatter = self.chatter or line
        self.is_apart = True


# --- what counts as a command: what the game's grammar reads, written out or as it is meant in the position -----------


def begins(game: Game[Any], text: str) -> bool:
    """Does a line begin like a command, written in full?"""
    words = words_of(text)[0]
    return any(words[: len(begin)] == list(begin) for begin in map(notation.head, game.commands))


def commands_of(game: Game[Any], state: State, seat: int) -> IsCommand:
    """The commands of a seat in this position. Words may be shortened or left out as usual, except the first.

    So chatter is not a command by chance: the line must begin with a command's first word and be one to its end.
    """
    left = [MOST_LOOKS]

    def knows(before: Sequence[str], text: str) -> bool:
        try:
            parse(game, text)
        except SealedMoveError:
            return begins(game, text) and is_meant([*before, text])
        return True

    def is_meant(lines: Sequence[str]) -> bool:
        left[0] -= 1
        if left[0] < 0:
            return False
        try:
            replay.read(game, state, seat, "\n".join(lines))
        except SealedMoveError:
            return False
        return True

    return knows
