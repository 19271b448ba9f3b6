"""`sealedmove talk`: read what the players of a table have written, and write to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from client.commands.base import Caller, command, with_caller
from client.commands.game_argument import game_argument
from client.home import Host
from client.terminal import quiet, say
from engine.kit import count

LAST = 20
REMOVED = {
    "author": "(taken back)",
    "operator": "(removed by the operator)",
    "erasure": "(removed with its author's account)",
}
Message = Mapping[str, Any]


@command()
@game_argument()
@click.argument("text", nargs=-1)
@click.option("--last", type=click.IntRange(1), default=LAST, show_default=True, help="Show this many messages.")
@click.option(
    "--take-back", type=click.IntRange(1), metavar="NUMBER", help="Take back your message, within ten minutes."
)
@with_caller
def main(caller: Caller, game: str, text: tuple[str, ...], last: int, take_back: int | None) -> None:
    """Read the table talk of GAME; with TEXT, write it to the table.

    Only the players of the table read it. What you have read counts as seen.
    """
    game = caller.game(game)
    if take_back is not None:
        caller.host.session.api.delete(f"/v1/games/{game}/talk/{take_back}")
        caller.answer({"game": game, "taken_back": take_back}, lambda: say(f"Message {take_back} is taken back."))
    elif text:
        sent = caller.host.session.api.post(f"/v1/games/{game}/talk", {"text": " ".join(text)}, once=True).value
        caller.answer(sent, lambda: say(f"Sent as message {sent['n']}."))
    else:
        found = _read(caller.host, game)
        value = {**found, "messages": found["messages"][-last:]}
        caller.answer(value, lambda: _print(value, len(found["messages"])))


def _read(host: Host, game: str) -> dict[str, Any]:
    """The whole talk, which counts as seen then."""
    *before, page = _pages(host, game)
    messages = [message for one in (*before, page) for message in one["messages"]]
    if messages and messages[-1]["n"] > page["seen"]:
        host.session.api.put(f"/v1/games/{game}/talk/seen", {"n": messages[-1]["n"]}, {})
    return {"game": game, "messages": messages, **{name: page[name] for name in ("seen", "closed", "muted")}}


def _pages(host: Host, game: str) -> Iterator[dict[str, Any]]:
    after: int | None = 0
    while after is not None:
        page = host.session.api.get(f"/v1/games/{game}/talk", after=after, limit=200).value
        yield page
        after = page["next"]


def _print(value: Mapping[str, Any], whole: int) -> None:
    if not value["messages"]:
        say("Nobody has written yet.")
    if earlier := whole - len(value["messages"]):
        quiet(f"{count(earlier, 'earlier message')} not shown: --last {whole} shows all.")
    for message in value["messages"]:
        new = " (new)" if message["n"] > value["seen"] and not message["own"] else ""
        say(
            f"{message['n']:>3}  {message['at']}  {message['name']}, seat {message['seat'] + 1}: {_words(message)}{new}"
        )
    if value["closed"]:
        quiet("The talk of this table is closed.")


def _words(message: Message) -> str:
    if message["removed"]:
        return REMOVED.get(message["removed"], "(removed)")
    return "(muted)" if message["text"] is None else str(message["text"]).replace("\n", "\n     ")
