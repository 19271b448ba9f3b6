"""A whole game by people who use only the public API and their mailboxes, for `sealedmove demo`.

Each player signs in by the link in their mail, registers a key of their own, joins, and answers each question with a
signed move. A level of the house players chooses it from the player's view alone. Or it is drawn from the legal moves
that the server lists; then the player waits for the turn mail before each answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from client import keys, session
from client.caught_mails import Mail, Mailbox
from client.game import Player
from client.http import Api, ApiError
from client.memory import Memory
from client.players.decider import attempts, nearest
from client.players.questions import MoveRequest, Reply
from client.players.runner import Runner
from client.session import Session
from client.view_check import ShownView
from engine.players import levels, players
from engine.record.log.entry import Entry

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
TRIED = 3


class DemoPlayer:
    """A person with an address, a key and, once they sit at the table, a `Player`."""

    def __init__(self, name: str, mailbox: Mailbox, signed_in: Session, folder: Path) -> None:
        self.name = name
        self.mailbox = mailbox
        self.session = signed_in
        self.folder = folder
        self.key = keys.load_or_make(folder / "key")
        self.player: Player

    def sit(self, game: str) -> int:
        """Take the first free seat of the game."""
        self.player = Player(self.session.api, game, self.key, Memory(self.folder / game))
        return self.player.join()


def sign_up(api: Api, mailbox: Mailbox, name: str, folder: Path, patience: float) -> DemoPlayer:
    """Make an account by the link in a mail, and register a key."""
    session.request_link(api, mailbox.address, name)
    mail = mailbox.wait_for(lambda one: session.token_in(str(one["text"])) is not None, "the sign-in link", patience)
    token = session.token_in(str(mail["text"]))
    assert token is not None
    guest = DemoPlayer(name, mailbox, session.confirm(api, token), folder)
    session.register_key(guest.session, guest.key)
    return guest


class MoveChooser(Protocol):
    """The way in which guests choose their moves."""

    def tries(self, guest: DemoPlayer, shown: dict[str, Any]) -> Iterator[list[Any]]:
        """Moves to try in order, until one is not refused."""


class DemoGame:
    """One game from the first join to the last mail. `play` yields after each logged move.

    With `waits` every answer waits for its turn mail.
    """

    def __init__(self, guests: list[DemoPlayer], game: str, way: MoveChooser, patience: float, *, waits: bool) -> None:
        self.guests = guests
        self.game = game
        self.way = way
        self.waits = waits
        self.patience = patience
        self.mails = 0
        self.seen: list[ShownView] = []
        self.asked: dict[int, int] = {}
        self.by_own_move: set[int] = set()

    def sit_down(self) -> None:
        """All guests join in turn; the last one starts the game."""
        for guest in self.guests:
            guest.sit(self.game)
        self._note_questions(None)

    def play(self) -> Iterator[tuple[DemoPlayer, Entry, dict[str, Any]]]:
        """The guests who owe a move look and move, until the game is over."""
        while self.asked:
            seat = next(iter(self.asked))
            guest = self.guests[seat]
            if (
                self.waits and seat not in self.by_own_move
            ):  # a guest who has just moved and moves again gets no mail at once
                self._await_mail(guest, seat)
            shown = guest.player.view()
            self.seen.append(ShownView(guest.player.table.size, seat, shown["view"]))
            entry = self._move(guest, shown)
            if guest.player.table.hidden:
                guest.player.openings()
            self._note_questions(seat)
            yield guest, entry, shown["view"]

    def farewell(self) -> None:
        """Every guest gets the email that the game is over, and has the same whole log."""
        for guest in self.guests:
            guest.player.sync()
            guest.player.openings()
            seat, last = guest.player.seat, guest.player.table.size - 1
            guest.mailbox.wait_for(self._is(last, seat, "over"), "the email that the game is over", self.patience)
            self.mails += 1
        heads = {guest.player.table.head for guest in self.guests}
        assert len(heads) == 1, "two players have two logs"

    def _await_mail(self, guest: DemoPlayer, seat: int) -> None:
        """Wait for the mail of exactly this turn: it must come before the guest answers."""
        wanted = self._is(self.asked[seat], seat, "turn")
        guest.mailbox.wait_for(wanted, f"{guest.name}'s turn after entry {self.asked[seat]}", self.patience)
        self.mails += 1

    def _is(self, seq: int, seat: int | None, kind: str) -> Callable[[Mail], bool]:
        start = f"<g.{self.game}.e{seq}.{seat}.{kind}@"
        return lambda mail: str(mail["message_id"]).startswith(start)

    def _note_questions(self, author: int | None) -> None:
        """Update since which entry each guest owes an answer: new are those who owed none, and the one who has just
        moved.
        """
        shown = self.guests[0].session.api.get(f"/v1/games/{self.game}").value
        last = int(shown["head"]["seq"])
        old = {seat: seq for seat, seq in self.asked.items() if seat != author}
        self.by_own_move = {seat for seat in shown["active"] if seat == author or seat in self.by_own_move}
        self.asked = {seat: old.get(seat, last) for seat in shown["active"]}

    def _move(self, guest: DemoPlayer, shown: dict[str, Any]) -> Entry:
        """Play the first of these moves that is not refused."""
        refused: ApiError | None = None
        for commands in self.way.tries(guest, shown):
            try:
                return guest.player.move(commands, either=True)
            except ApiError as no:
                refused = no
        assert refused is not None
        raise refused


class PolicyMoves:
    """Choose like a level of the house players, or the next one that the game has, in a process of its own."""

    def __init__(self, runner: Runner, level: str, seed: str, seconds: float) -> None:
        self._runner = runner
        self._level = level
        self._seed = seed
        self._seconds = seconds

    def tries(self, guest: DemoPlayer, shown: dict[str, Any]) -> Iterator[list[Any]]:
        table, legal = guest.player.table, [item["command"] for item in guest.player.legal()]
        if players(table.game.meta.key) is None:
            return iter([legal[:1]])
        question = MoveRequest(
            game=table.game.meta.key,
            seat=shown["seat"],
            level=nearest(self._level, tuple(levels(table.game))),
            view=msgspec.Raw(msgspec.json.encode(shown["view"])),
            legal=tuple(legal),
            options=msgspec.Raw(msgspec.json.encode(dict(table.created["options"]))),
            seed=f"{self._seed} {table.size}",
            seconds=self._seconds,
        )
        found: Reply = self._runner.ask(question)
        return attempts(found, legal)


class RandomMoves:
    """Choose any legal move."""

    def __init__(self, seed: str) -> None:
        self._choice = random.Random(seed)  # noqa: S311 - the choice of a demo's move need not be secret

    def tries(self, guest: DemoPlayer, shown: dict[str, Any]) -> Iterator[list[Any]]:  # noqa: ARG002 - as other ways
        """A legal command, and further ones to try after it in the same move: a few others, and those without choices.

        So most turns are one move, as a person would sign it, with one mail a turn.
        """
        legal = [item["command"] for item in guest.player.legal()]
        first = self._choice.choice(legal)
        others = self._choice.sample(legal, min(TRIED, len(legal)))
        plain = [{"do": kind} for kind in _kinds_without_fields(guest)]
        yield [first, *({"try": other} for other in [*others, *plain] if other != first)]


def _kinds_without_fields(guest: DemoPlayer) -> list[str]:
    kinds = guest.player.table.game.commands
    return [str(kind.__struct_config__.tag) for kind in kinds if not kind.__struct_fields__]
