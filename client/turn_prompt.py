"""A turn at a terminal: completion of legal words, a preview of each step, the question before signing, the result.

Only a `y` signs, after a question that shows exactly what is signed: the place in the log and the commands.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText

from client import game_screen, guides, history, tables, terminal
from client.errors import NotSignedError, UnsettledError
from client.game import Player
from client.http import ApiError
from client.position import Plan, PlanPreview, Position, active, position
from client.terminal import quiet, say
from engine import kit
from engine.errors import BadNotation, Refused
from engine.kit import dump_steps, format_steps
from engine.record.encoding import canonical
from engine.record.log.entry import Entry

WORDS = {
    "/sign": "sign the draft move",
    "/undo": "take the last step back",
    "/clear": "start over",
    "/board": "show the board after the draft move",
    "/legal": "list every legal next step",
    "/history": "show what has happened",
    "/guide": "show the guide of the game",
    "/hint": "show what a house player would play, if the table allows it",
    "/help": "list these commands",
    "/quit": "leave without signing",
}
HELP = "Type a step; Tab completes it. Press Enter on an empty line to sign the draft move. /help lists more."


class LineReader(Protocol):
    """The prompt of a person."""

    def line(self, prompt: str, legal: Sequence[str], below: str) -> str:
        """Read a line with completion of legal words; EOFError at the end of input."""

    def yes(self, question: str) -> bool:
        """Ask; only `y` means yes."""


class WordCompleter(Completer):
    """Complete the next word of a legal command, or all the rest once only one fits; `/` starts the prompt's own
    words.
    """

    def __init__(self, legal: Sequence[str]) -> None:
        self._legal = [text.split() for text in legal]

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002
        typed = document.text_before_cursor
        if ";" in typed:
            return
        if typed.startswith("/"):
            found = {word: says for word, says in WORDS.items() if word.startswith(typed)}
            yield from (Completion(word, -len(typed), display_meta=says) for word, says in found.items())
            return
        *before, last = typed.split() if typed.split() and not typed.endswith(" ") else [*typed.split(), ""]
        yield from self._next(before, last)

    def _next(self, before: list[str], last: str) -> Iterable[Completion]:
        at = len(before)
        fits = [
            words for words in self._legal if words[:at] == before and len(words) > at and words[at].startswith(last)
        ]
        if len(fits) == 1:
            yield Completion(" ".join(fits[0][at:]), -len(last))
            return
        for word in dict.fromkeys(words[at] for words in fits):
            many = sum(words[at] == word for words in fits)
            yield Completion(word, -len(last), display_meta=f"{many} ways" if many > 1 else "")


class Keyboard:
    """A prompt by prompt_toolkit."""

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession()

    def line(self, prompt: str, legal: Sequence[str], below: str) -> str:
        while True:
            try:
                shown = FormattedText([("bold", prompt)])
                return self._session.prompt(
                    shown,
                    completer=WordCompleter(legal),
                    complete_while_typing=False,
                    bottom_toolbar=terminal.safe(below),
                )
            except KeyboardInterrupt:
                quiet("Leave with Ctrl-D or /quit.")

    def yes(self, question: str) -> bool:
        try:
            answer = PromptSession[str]().prompt(FormattedText([("bold", f"{terminal.safe(question)} (y/n) ")]))
        except (KeyboardInterrupt, EOFError):
            return False
        return answer.strip().lower() in ("y", "yes")


class TurnPrompt:
    """One player's turns at one game."""

    def __init__(self, player: Player, asks: LineReader) -> None:
        self.player = player
        self._asks = asks
        self._names: tuple[str, ...] = ()
        self._plan: Plan = ()
        self._told = 0

    def turn(self) -> bool:
        """Play until the seat owes nothing; False if the person leaves earlier."""
        self._show_table()
        while self._owes():
            here = position(self.player, self._names)
            preview = here.preview(self._plan)
            if not self._round(here, preview):
                return False
        return True

    # --- looking ------------------------------------------------------------------------------------------------------

    def _owes(self) -> bool:
        return self.player.seat in active(self.player)

    def _show_table(self) -> None:
        """Print the whole table, from the header to the latest events."""
        detail = self.player.api.get(f"/v1/games/{self.player.game}").value
        self._names = tables.names(detail)
        game_screen.header(detail, self.player.table.game.meta.title, self.player.seat)
        game_screen.board(self.player, game_screen.drawn(self.player, self._names), self._names)
        self._news(4)
        quiet(HELP)

    def _news(self, most: int | None = None) -> None:
        """Print new entries."""
        new = self.player.log.size - self._told
        self._told = self.player.log.size
        wanted = new if most is None else min(new, most)
        if wanted:
            found = history.lines(self.player, self._names, wanted)
            game_screen.lines([{"seq": one.seq, "at": one.at, "seat": one.seat, "says": one.says} for one in found])

    # --- a line -------------------------------------------------------------------------------------------------------

    def _round(self, here: Position, preview: PlanPreview) -> bool:
        """Handle one line; False if the person leaves."""
        typed = self._line(preview).strip()
        if typed == "/quit":
            return False
        if typed.startswith("/") and typed != "/sign":
            self._word(typed, preview)
        elif typed and typed != "/sign":
            self._step(here, typed)
        elif self._plan:
            self._sign(preview)
        else:
            say("The draft move is empty: type a step. /legal lists the possible ones.")
        return True

    def _line(self, preview: PlanPreview) -> str:
        count = len(self._plan)
        below = f"{self.player.table.game.meta.title}, seat {(self.player.seat or 0) + 1}"
        below += f" | draft: {format_steps(self._plan)} | Enter signs" if count else " | Tab completes, /help"
        try:
            return self._asks.line(f"step {count + 1}> ", preview.legal, below)
        except EOFError:
            return "/quit"

    def _word(self, typed: str, preview: PlanPreview) -> None:
        """Handle one of the prompt's own words."""
        does: dict[str, Callable[[], Any]] = {
            "/undo": self._undo,
            "/clear": self._clear,
            "/board": lambda: game_screen.board(self.player, preview.board, self._names),
            "/legal": lambda: game_screen.legal(preview.legal, len(preview.legal)),
            "/history": self._history,
            "/guide": self._guide,
            "/hint": self._hint,
        }
        does.get(typed, self._help)()

    def _undo(self) -> None:
        self._plan = self._plan[:-1]
        say(f"Draft: {format_steps(self._plan) or 'empty'}")

    def _clear(self) -> None:
        self._plan = ()
        say("Draft: empty")

    def _history(self) -> None:
        self._told = 0
        self._news()

    def _guide(self) -> None:
        key = self.player.table.game.meta.key
        guides.show(key, self.player.api.get(f"/v1/types/{key}").value["guide"])

    def _hint(self) -> None:
        """Show the move of a house player; the table sees that we asked."""
        try:
            found = self.player.api.post(f"/v1/games/{self.player.game}/hint", {}).value
        except ApiError as no:
            say(self._why(no))
            return
        terminal.heading(f"  {found['notation']}")
        if found["reason"]:
            say(f"  {found['reason']}")
        say(f"  {found['effect']}")
        quiet(f"  {found['says']}")

    def _help(self) -> None:
        for word, says in WORDS.items():
            say(f"  {word:10} {says}")

    def _step(self, here: Position, typed: str) -> None:
        """Add typed steps to the draft if the rules allow them, otherwise print the reason."""
        try:
            plan = here.read(self._plan, typed)
            preview = here.preview(plan)
        except (Refused, ApiError, NotSignedError) as no:
            say(self._why(no))
            return
        if preview.refusal:
            say(f"Refused: {preview.refusal}")
            return
        self._plan = plan
        game_screen.plan(preview, [format_steps([step]) for step in plan], self.player, self._names)
        if not preview.mine:
            self._sign(preview)

    def _why(self, no: Exception) -> str:
        if isinstance(no, BadNotation):
            return kit.explain(self.player.table.game, no, self._names)
        if isinstance(no, ApiError):
            return str(no.problem.get("detail") or no.problem.get("title") or no)
        return str(getattr(no, "says", no))

    # --- signing ------------------------------------------------------------------------------------------------------

    def _sign(self, preview: PlanPreview) -> None:
        """Show what is signed, ask, and print the result. A draft that others have overtaken is shown again first."""
        if self._overtaken():
            return
        self._show_act()
        game_screen.warnings(preview)
        if not preview.certain:
            quiet("Chance or hidden information decides next. A signed move cannot be undone.")
        if not self._asks.yes("Sign it?"):
            say("Not signed. /undo removes the last step, /clear all of them.")
        elif self._has_moved_on():
            say("Nothing was signed, because you have not seen this position.")
            self._still_fits()
        else:
            self._send()

    def _overtaken(self) -> bool:
        """Preview the draft again, on the new head, if other entries were logged meanwhile."""
        return self._has_moved_on() and not self._still_fits()

    def _has_moved_on(self) -> bool:
        """Print the entries that were logged meanwhile, if any."""
        if not self.player.sync():
            return False
        say("Meanwhile:")
        self._news()
        return True

    def _still_fits(self) -> bool:
        if not self._owes():
            say("It is no longer your turn.")
            self._plan = ()
            return False
        preview = position(self.player, self._names).preview(self._plan)
        game_screen.plan(preview, [format_steps([step]) for step in self._plan], self.player, self._names)
        if preview.refusal:
            self._plan = self._plan[: preview.done]
        return not preview.refusal

    def _show_act(self) -> None:
        player, table = self.player, self.player.table
        say()
        terminal.heading("You sign:")
        say(f"  game    {player.game}, {table.game.meta.title}, seat {(player.seat or 0) + 1}")
        say(f"  at      {table.server}, entry {table.size} on {canonical.to_base64url(table.head)}")
        say(f"  move    {format_steps(self._plan)}")
        say(f"  as      {terminal.folded(json.dumps(dump_steps(self._plan)), 10)}")
        say(f"  key     {player.key.kid}" + (" (sealed: others see only its hash)" if table.hidden else ""))

    def _send(self) -> None:
        try:
            entry = self._moved()
        except (ApiError, NotSignedError) as no:
            say(f"Not logged: {self._why(no)}")
            self.player.sync()
            self._news()
            self._still_fits()
            return
        plan, self._plan = self._plan, ()
        self._after(entry, plan)

    def _moved(self) -> Entry:
        commands = dump_steps(self._plan)
        try:
            return self.player.move(commands)
        except UnsettledError as no:
            if not no.answered:
                raise
            say(no.says)
            if not self._asks.yes("Sign anyway? Then either of the two may be logged"):
                raise
            return self.player.move(commands, either=True)

    def _after(self, entry: Entry, plan: Plan) -> None:
        """Print the events of the move and its draws, and how far it went."""
        terminal.heading(f"Logged as entry {entry.seq}.")
        self._news()
        for stopped in stops(self.player, entry.seq, len(plan)):
            say(stopped)
        if self._owes():
            game_screen.board(self.player, game_screen.drawn(self.player, self._names), self._names)


def stops(player: Player, seq: int, planned: int) -> list[str]:
    """Print the reason if only a part of our move was played."""
    found = (one for one in player.openings_after(seq - 1) if one["seq"] == seq)
    return [
        f"Your move stopped after step {one['done']} of {planned}: {one['refusal']['says']}"
        for one in found
        if one.get("refusal") and one["done"] < planned
    ]
