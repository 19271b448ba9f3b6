"""Legal commands and previews: from our own copy of an open game, from the server in a hidden one.

`look` shows where a plan of steps leads, as far as it is certain; `read` adds what was typed to a plan. A preview of
the server decides nothing: the steps are signed, and a person sees them first.
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
    """The effect of a draft move: `done` steps were played, and `refusal` stopped it, if anything did.

    `legal` commands may follow. Not `certain`: chance or hidden information decides next. `mine`: the seat owes more
    after it. `warnings` name what it wastes.
    """

    board: str
    sentences: list[str]
    legal: list[str]
    done: int
    refusal: str | None
    certain: bool
    warnings: tuple[str, ...] = ()

    @property
    def mine(self) -> bool:
        return bool(self.legal)


class Position(Protocol):
    """The game at its head, as the player sees it."""

    def preview(self, plan: Plan) -> PlanPreview:
        """The effect of the draft; of an empty one, the position itself."""

    def read(self, plan: Plan, text: str) -> Plan:
        """Add typed text to the draft; BadNotation or Ambiguous says what would fit."""


def active(player: Player) -> tuple[int, ...]:
    """The seats that owe a move: from our own copy of an open game, from the server in a hidden one."""
    if player.table.stage != "running":
        return ()
    if player.table.state is not None:
        return player.table.active
    return tuple(player.api.get(f"/v1/games/{player.game}").value["active"])


def position(player: Player, names: Sequence[str]) -> Position:
    """The position of this player, who has a seat in a running game."""
    return _ServerPosition(player) if player.table.hidden else _LocalPosition(player, tuple(names))


class _LocalPosition:
    """An open game, from our own checked copy."""

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
        sentences = [text for text in told if text]
        return PlanPreview(drawn, sentences, legal, seen.done, refusal, seen.certain, seen.warnings)


class _ServerPosition:
    """A hidden game, whose state only the server has."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._game = player.table.game
        self._seen: dict[Plan, PlanPreview] = {}

    def preview(self, plan: Plan) -> PlanPreview:
        """Ask once for each draft, because the position is fixed."""
        if plan not in self._seen:
            self._seen[plan] = self._fetch_preview(plan)
        return self._seen[plan]

    def _fetch_preview(self, plan: Plan) -> PlanPreview:
        if not plan:
            legal = [choice["notation"] for choice in self._player.legal()]
            return PlanPreview(self._player.view()["board"], [], legal, 0, None, certain=True)
        return _to_preview(self._player.preview(dump_steps(plan)))

    def read(self, plan: Plan, text: str) -> Plan:
        """Read complete and legal commands ourselves, others as the server reads them; the person sees the result."""
        try:
            whole = (*plan, *kit.parse(self._game, text))
        except BadNotation:
            return self._read_there(plan, text)
        return self._read_there(plan, text) if self.preview(whole).refusal else whole

    def _read_there(self, plan: Plan, text: str) -> Plan:
        """Reject an answer that changes the earlier steps."""
        steps = load_steps(self._game, self._player.preview_text(_whole(plan, text))["commands"])
        if dump_steps(steps[: len(plan)]) != dump_steps(plan) or len(steps) == len(plan):
            raise NotSignedError("other-steps", "the server changed steps that were typed before")
        return steps


def _to_preview(shown: Mapping[str, Any]) -> PlanPreview:
    refusal = shown["refusal"]["says"] if shown["refusal"] else None
    legal = [choice["notation"] for choice in shown["legal"]]
    warnings = tuple(shown.get("warnings", ()))  # an older server sends none
    return PlanPreview(shown["board"], shown["sentences"], legal, shown["done"], refusal, shown["certain"], warnings)


def _whole(plan: Plan, text: str) -> str:
    """The draft as text, with the typed text after it."""
    return f"{format_steps(plan)}; {text}" if plan else text
