"""`sealedmove demo` as a show: each turn in a sentence, the board as it changes, the winner.

Everything on it is public: the sentences come from the log, and the board is the one that a stranger sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from client import history, terminal
from client.demo import DemoPlayer
from client.game import Player
from client.http import Api
from client.terminal import say
from engine.game import Game, Outcome
from engine.kit import ending
from engine.record.log.entry import Entry
from engine.record.log.fold import apply_entry

SEATING = ("joined", "started")  # not told: everybody knows the players by now

EACH = 5  # moves of each player between two boards of a game that counts no rounds


class Show:
    """Tells a game as it is played: `turn` after each move, and `end` after the last one."""

    def __init__(self, api: Api, guests: list[DemoPlayer], game: str) -> None:
        self._api = api
        self._names = tuple(guest.name for guest in guests)
        self._page = f"{api.url}/games/{game}"
        self._view = f"/v1/games/{game}/view"
        self._table = history.opened(guests[0].player)
        self._moves = 0
        self._round: int | None = None
        self._shown: set[str] = set()

    def begin(self) -> None:
        say(f"Watch the game at {self._page}")
        self._round = _round_of(self._look())
        terminal.heading("\nThe game" if self._round is None else f"\nRound {self._round}")

    def turn(self, player: Player) -> None:
        """Tell what this player's copy of the log has beyond what was told; show the board from time to time."""
        for entry in player.log.entries[self._table.size :]:
            self._tell(entry)
            self._table = apply_entry(self._table, entry)
        self._moves += 1
        if self._table.outcome is None:
            self._after_move()

    def _after_move(self) -> None:
        """The board at the start of each round; in a game whose view counts none, after some moves of each player."""
        if self._round is None:
            if not self._moves % (EACH * len(self._names)):
                terminal.heading(f"\nAfter {self._moves} moves")
                self._board(self._look())
                say()
            return
        shown = self._look()
        if (number := _round_of(shown)) != self._round:
            self._round = number
            self._board(shown)
            terminal.heading(f"\nRound {number}")

    def end(self, ended: Outcome) -> None:
        """Why the game ended, and who has won."""
        game: Game[Any] = self._table.game
        self._board(self._look())
        terminal.heading(f"\n{game.meta.title} is over. {ending(game, ended)}")
        say(Text(_winning([self._names[seat] for seat in ended.places[0]] if ended.won else []), "bold green"))
        say(f"Replay it at {self._page}")

    def _tell(self, entry: Entry) -> None:
        if entry.kind in SEATING:
            return
        says, seat = history.sentence(entry, self._table, self._names), entry.body.get("seat")
        say(Text(f"  {terminal.folded(says, 2)}", "" if seat is None else terminal.style(f"seat-{seat + 1}")))

    def _look(self) -> Mapping[str, Any]:
        """The position for somebody without a seat."""
        shown: Mapping[str, Any] = self._api.get(self._view).value
        return shown

    def _board(self, shown: Mapping[str, Any]) -> None:
        """The board for somebody without a seat, without the paragraphs that were on the last one too."""
        parts = str(shown["board"]).split("\n\n")
        changed = [part for part in parts if part not in self._shown]
        self._shown = {*parts}
        say()
        say(terminal.board(self._table.game, "\n\n".join(changed), self._names))


def _round_of(shown: Mapping[str, Any]) -> int | None:
    """The round, if the game's view counts them."""
    number = shown["view"].get("round")
    return number if isinstance(number, int) else None


def _winning(winners: list[str]) -> str:
    if not winners:
        return "Nobody has won."
    return f"The winner: {winners[0]}!" if not winners[1:] else f"Shared first place: {' and '.join(winners)}!"
