"""What may be done in a position and what it would do: by our own copy of an open game, by the server in a hidden one.

`look` shows where a plan of steps leads, as far as it is certain; `read` adds what was typed to a plan. The server's
word about a hidden game decides nothing: what is signed are the steps, and a person is shown those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from client.errors import NotSignedError
from client.game import Player
from engine import kit, replay
from engine.errors import BadNotation
from engine.kit import Step, dump_steps, format_command, format_steps, load_steps

Plan = tuple[Step, ...]


class PlanPreview(NamedTuple):
    """Where a plan leads. `done` steps of it were played, `refusal` says why no more were; `legal` may follow it.

    Not `certain`: chance or another seat decides how it goes on. `mine`: the seat owes more after it.
    """

    board: str
    sentences: list[str]
    legal: list[str]
    done: int
    refusal: str | None
    certain: bool

    @property
    def mine(self) -> bool:
        return bool(self.legal)


class Position(Protocol):
    """The game at its head, from the player's chair."""

    def preview(self, plan: Plan) -> PlanPreview:
        """Where the plan leads; with an empty one, the position itself."""

    def read(self, plan: Plan, text: str) -> Plan:
        """The plan and what was typed; BadNotation or Ambiguous says what would do."""


def active(player: Player) -> tuple[int, ...]:
    """The seats that owe a move: by our own copy of an open game, as the server says in a hidden one."""
    if player.table.stage != "running":
        return ()
    if player.table.state is not None:
        return player.table.active
    return tuple(player.api.get(f"/v1/games/{player.game}").value["active"])


def position(player: Player, names: Sequence[str]) -> Position:
    """The position of this player, who has a seat in a running game."""
    return _ServerPosition(player) if player.table.hidden else _LocalPosition(player, tuple(names))


class _LocalPosition:
    """An open game: everything by our own checked copy."""

    def __init__(self, player: Player, names: tuple[str, ...]) -> None:
        self._game = player.table.game
        self._state = player.table.state
        self._seat = player.seat if player.seat is not None else 0
        self._names = names

    def preview(self, plan: Plan) -> PlanPreview:
        if not plan:
            return self._to_preview(replay.Preview(self._state, (), 0, None, certain=True))
        return self._to_preview(replay.preview(self._game, self._state, self._seat, plan))

    def read(self, plan: Plan, text: str) -> Plan:
        return replay.read(self._game, self._state, self._seat, _whole(plan, text))

    def _to_preview(self, seen: replay.Preview) -> PlanPreview:
        game, state, seat = self._game, seen.state, self._seat
        told = (kit.tell(kit.redact(event, seat), self._names) for event in seen.events)
        refusal = kit.explain(game, seen.refusal, self._names) if seen.refusal else None
        legal = [format_command(command) for command in kit.legal(game, state, seat)] if seen.certain else []
        drawn = game.board(kit.view(game, state, seat), self._names)
        return PlanPreview(drawn, [text for text in told if text], legal, seen.done, refusal, seen.certain)


class _ServerPosition:
    """A hidden game: only the server knows the state that it is played on."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._game = player.table.game
        self._seen: dict[Plan, PlanPreview] = {}

    def preview(self, plan: Plan) -> PlanPreview:
        """Asked once for each plan: this is one position, at one head."""
        if plan not in self._seen:
            self._seen[plan] = self._fetch_preview(plan)
        return self._seen[plan]

    def _fetch_preview(self, plan: Plan) -> PlanPreview:
        if not plan:
            legal = [choice["notation"] for choice in self._player.legal()]
            return PlanPreview(self._player.view()["board"], [], legal, 0, None, certain=True)
        return _to_preview(self._player.preview(dump_steps(plan)))

    def read(self, plan: Plan, text: str) -> Plan:
        """By ourselves, what is written out and goes; else as the server reads it, which the person is shown."""
        try:
            whole = (*plan, *kit.parse(self._game, text))
        except BadNotation:
            return self._read_there(plan, text)
        return self._read_there(plan, text) if self.preview(whole).refusal else whole

    def _read_there(self, plan: Plan, text: str) -> Plan:
        """What the server makes of the steps before is not taken."""
        steps = load_steps(self._game, self._player.preview_text(_whole(plan, text))["commands"])
        if dump_steps(steps[: len(plan)]) != dump_steps(plan) or len(steps) == len(plan):
            raise NotSignedError("other-steps", "the server read other steps than those that were typed before")
        return steps


def _to_preview(shown: Mapping[str, Any]) -> PlanPreview:
    refusal = shown["refusal"]["says"] if shown["refusal"] else None
    legal = [choice["notation"] for choice in shown["legal"]]
    return PlanPreview(shown["board"], shown["sentences"], legal, shown["done"], refusal, shown["certain"])


def _whole(plan: Plan, text: str) -> str:
    """The plan as text, and what was typed after it."""
    return f"{format_steps(plan)}; {text}" if plan else text
