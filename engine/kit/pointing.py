"""What the words of a command point at on the table, and how a picture marks the places and pieces they point at.

A word that is typed has a kind: `g4` is a cell in one command, `4` a column in another and a die in a third. The kind
of a field is the field's own name, or what its type says by `on_table`; a seat is of kind `seat`; a field that names no
place and no piece says `off_table`. A picture marks what it draws by kind and word:

    marked("cell:g4", "a temple", drawn)                    <g data-word="cell:g4"><title>a temple</title>...</g>
    marked("column:4 row:6", "column 4, row 6", drawn)      the place where both words meet
    marked("treasure:bowl", "a bowl", drawn, seat=1)        ... data-seat="2": a piece of the second seat

So whoever shows the picture can light what may be typed next, and tell own pieces from others'.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.game import Command
from engine.kit.letters import escape
from engine.kit.notation import FREE, Slot, slots, write

OWN = "own"  # the owner of a piece is whoever gives the command


def on_table(kind: str, owner: str = "") -> msgspec.Meta:
    """What a field's type says of the places or pieces its words point at, as in `mine: Annotated[Treasure, this]`.

    `owner` is "" if it does not matter whose the piece is, "own", or the name of the command's field that says whose.
    """
    return msgspec.Meta(extra={"kind": kind, "owner": owner})


off_table = on_table(FREE)


class Word(msgspec.Struct, frozen=True):
    """A word of a command as it is typed. `kind` is "" if it points at nothing; `seat` says whose piece it is.

    `field` is the command's field that it fills, "" for a word of the template. `parts` are those of a set, in which
    one may stand several times; () if the word is none.
    """

    text: str
    kind: str = ""
    seat: int | None = None
    field: str = ""
    parts: tuple[str, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """What it points at, as pictures are marked: one for each part of a set."""
        return tuple(mark(self.kind, part) for part in self.parts or (self.text,)) if self.kind else ()


def mark(kind: str, word: object) -> str:
    """A word with its kind, as commands and pictures both write it."""
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
    """What is drawn, as the place or piece that these words (parted by blanks) point at; the title is read aloud."""
    whose = "" if seat is None else f' data-seat="{seat + 1}"'
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<g data-word="{marks}"{whose}{given}><title>{escape(title)}</title>{"".join(drawn)}</g>'
