"""The places and pieces that the words of a command point at, and their marks in a picture.

A typed word has a kind: `g4` is a cell in one command, `4` a column in another and a die in a third. The kind of a
field is the field's own name, or the one that its type gives by `on_table`; a seat is of kind `seat`; a field that
names neither a place nor a piece is `off_table`. A picture marks what it draws by kind and word:

    marked("cell:g4", "a temple", drawn)                    <g data-word="cell:g4"><title>a temple</title>...</g>
    marked("column:4 row:6", "column 4, row 6", drawn)      the place where both words meet
    marked("treasure:bowl", "a bowl", drawn, seat=1)        ... data-seat="2": a piece of the second seat

So a page can highlight what may be typed next, and tell a player's own pieces from others'.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.game import Command
from engine.kit.letters import escape
from engine.kit.notation import FREE, Slot, slots, write

OWN = "own"  # the owner of the piece gives the command


def on_table(kind: str, owner: str = "") -> msgspec.Meta:
    """The places or pieces that a field's words point at, as in `mine: Annotated[Treasure, this]`.

    `owner` is "" if any piece will do, "own", or the name of the command's field that names the owner.
    """
    return msgspec.Meta(extra={"kind": kind, "owner": owner})


off_table = on_table(FREE)


class Word(msgspec.Struct, frozen=True):
    """A word of a command as it is typed. `kind` is "" if it points at nothing; `seat` is the owner of the piece.

    `field` is the command's field that it fills, "" for a word of the template. `parts` are those of a set, where one
    may occur several times; () for any other word.
    """

    text: str
    kind: str = ""
    seat: int | None = None
    field: str = ""
    parts: tuple[str, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks of pictures that it points at: one for each part of a set."""
        return tuple(mark(self.kind, part) for part in self.parts or (self.text,)) if self.kind else ()


def mark(kind: str, word: object) -> str:
    """A word with its kind, written alike for commands and pictures."""
    return f"{kind}:{word}"


def pointed(command: Command, seat: int) -> tuple[Word, ...]:
    """The words of a seat's command as they are typed, each with what it points at."""
    return tuple(_words(command, seat))


def _words(command: Command, seat: int) -> Iterator[Word]:
    known = slots(type(command))
    for group, texts in write(command):
        for token, text in zip(group.tokens, texts, strict=True):
            slot = known[token[1:-1]] if token.startswith("{") else None
            yield _word(slot, text, command, seat) if slot else Word(text)


def _word(slot: Slot, text: str, command: Command, seat: int) -> Word:
    parts = tuple(text.split("+")) if slot.is_many else ()
    return Word(text, slot.kind, _owner(slot, command, seat) if slot.kind else None, slot.name, parts)


def _owner(slot: Slot, command: Command, seat: int) -> int | None:
    if not slot.owner:
        return None
    owner: int = seat if slot.owner == OWN else getattr(command, slot.owner)
    return owner


def marked(marks: str, title: str, *drawn: str, seat: int | None = None, **style: object) -> str:
    """Mark a drawing as the place or piece that these words (separated by blanks) point at; the title is read aloud."""
    whose = "" if seat is None else f' data-seat="{seat + 1}"'
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<g data-word="{marks}"{whose}{given}><title>{escape(title)}</title>{"".join(drawn)}</g>'
