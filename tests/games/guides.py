"""Read a game's guide in its tests: the part that teaches, its pictures, and its example turns, played by the engine.

A picture is a line of its own and names a position: a golden game of the guide's game, after its first N moves (`#0` is
the setup; a move is a line of the golden game that begins with `> Seat`). An example turn is a section below
`## Example turns`. Its first picture is the table before the turn; each indented line is a move of the seat to move:

    ## Example turns

    ### A tent for two coins

    ![Ann to move](golden/four-random.txt#12)

        sell 1 red; tent 3; end

    Ann needs two coins for the tent, so ...
"""

from __future__ import annotations

import json
import pkgutil
import re
from typing import Any

import msgspec

from engine import golden, registry, replay
from engine.game import Event, Turn
from engine.kit import active, parse

NOTATION = "\n## What to type\n"
EXAMPLES = "\n## Example turns\n"
_PICTURE = re.compile(r"(?m)^!\[(.+)\]\(golden/([a-z0-9-]+)\.txt#(\d+)\)$")
_MOVE = re.compile(r"(?m)^    (\S.*)$")


class Picture(msgspec.Struct, frozen=True):
    """A link to the drawing of the golden game `name` after its first `moves` moves."""

    caption: str
    name: str
    moves: int


class Example(msgspec.Struct, frozen=True):
    """An example turn: its heading, the table before it, and the moves as they are typed."""

    heading: str
    picture: Picture
    typed: tuple[str, ...]


class Played(msgspec.Struct, frozen=True):
    """An example turn after the engine has played it for `seat`; `events` are in order."""

    seat: int
    before: Any
    after: Any
    events: tuple[Event, ...]

    def told(self, kind: type[Event]) -> list[Any]:
        """Return the events of this kind."""
        return [event for event in self.events if isinstance(event, kind)]


def teaching(key: str) -> str:
    """Return the guide up to its notation: the part that teaches somebody who does not own the box."""
    taught, found, _ = registry.guide(key).partition(NOTATION)
    assert found, f"the guide of {key} has no heading {NOTATION.strip()!r}"
    return taught


def words(key: str) -> int:
    """Count the words before the notation; pictures and marks such as `-` or `|` are not words."""
    return sum(1 for word in _PICTURE.sub("", teaching(key)).split() if re.search(r"\w", word))


def says(key: str, sentence: str) -> bool:
    """Return whether the guide holds this sentence word for word, wherever its lines break."""
    return _folded(sentence) in _folded(registry.guide(key))


def _folded(text: str) -> str:
    return " ".join(text.split())


def pictures(key: str) -> list[Picture]:
    """Return every picture of the guide, in order."""
    return [_picture(found) for found in _PICTURE.finditer(registry.guide(key))]


def _picture(found: re.Match[str]) -> Picture:
    return Picture(caption=found[1], name=found[2], moves=int(found[3]))


def examples(key: str) -> list[Example]:
    """Return the example turns of the guide, in order."""
    _, found, below = teaching(key).partition(EXAMPLES)
    assert found, f"the guide of {key} has no heading {EXAMPLES.strip()!r}"
    return [_example(section) for section in re.split(r"(?m)^### ", re.split(r"(?m)^## ", below)[0])[1:]]


def _example(section: str) -> Example:
    heading, _, text = section.partition("\n")
    found = _PICTURE.search(text)
    assert found, f"the example {heading!r} has no picture"
    return Example(heading=heading, picture=_picture(found), typed=tuple(_MOVE.findall(text)))


def position(key: str, picture: Picture) -> Turn:
    """Play the golden game of a picture up to the position shown; the turn holds its state and the chance to come."""
    text = pkgutil.get_data(registry.home(key), f"golden/{picture.name}.txt")
    assert text is not None
    script, game = golden.read(text.decode("utf-8")), registry.find(key)
    assert picture.moves <= len(script.moves), f"{picture.name} has {len(script.moves)} moves, not {picture.moves}"
    options = msgspec.convert(json.loads(script.options), game.meta.options)
    turn = replay.start(game, script.seats, options, *golden.lanes(script), script.rules)
    for seat, typed in script.moves[: picture.moves]:
        turn = _moved(key, turn, seat, typed)
    return turn


def _moved(key: str, turn: Turn, seat: int, typed: str) -> Turn:
    game, turn = registry.find(key), _onward(turn)
    if typed == "clock":
        replay.expire(game, turn, seat)
    elif typed == "resigns":
        replay.resign(game, turn, seat)
    else:
        replay.move(game, turn, seat, parse(game, typed))
    return turn


def play(key: str, example: Example) -> Played:
    """Play an example turn from its picture, each move by the seat whose turn it is then, typed as a player may."""
    game, turn = registry.find(key), position(key, example.picture)
    seat, before = active(game, turn.state)[0], turn.state
    events: tuple[Event, ...] = ()
    for typed in example.typed:
        turn, mover = _onward(turn), active(game, turn.state)[0]
        moved = replay.move(game, turn, mover, replay.read(game, turn.state, mover, typed))
        assert moved.refusal is None, f"{typed!r} is refused: {moved.refusal}"
        events += tuple(turn.events)
    return Played(seat=seat, before=before, after=turn.state, events=events)


def _onward(turn: Turn) -> Turn:
    return Turn(turn.state, turn.chance.onward(), turn.secret.onward())
