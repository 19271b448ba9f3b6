"""`sealedmove new`: list the games and their options, or open a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from client import guides, session, table_options
from client.commands.base import Caller, command, with_caller
from client.commands.join import WHEN_READY, recovery_option, sit_down
from client.entry_text import clock_words
from client.home import UnsignedConsent
from client.terminal import columns, say
from engine import registry
from engine.kit import count

TIMES = {
    "move": "Time for each turn, such as 3d.",
    "bank": "Time bank for the whole game, used when a turn takes longer.",
    "increment": "Time added to the bank for each turn.",
    "cap": "Limit of the bank.",
    "grace": "Grace period after that; then the server plays a default move.",
    "grants": "Most time that you may give to each other player.",
}

UNSIGNED = (
    "A reply by email is a move. It has no signature: anyone with access to a player's mailbox can move for them, and "
    "only the server vouches for the player."
)


def clock_options(called: Any) -> Any:
    for name, says in reversed(TIMES.items()):
        called = click.option(f"--{name}", metavar="TIME", help=says)(called)
    return called


def _known(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete from the games installed here, so that no server is asked while you type."""
    found = registry.games()
    return [CompletionItem(key, help=found[key].meta.title) for key in found if key.startswith(incomplete)]


@command()
@click.argument("kind", metavar="[TYPE]", required=False, shell_complete=_known)
@click.argument("words", metavar="[OPTION]...", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="List the options of TYPE without opening a table.")
@click.option("--guide", is_flag=True, help="Show the guide of TYPE without opening a table.")
@click.option("--seats", type=click.IntRange(1, 64), help="Number of players; by default as few as possible, from two.")
@click.option("--house", metavar="LEVELS", help="House players in the last seats, such as easy or easy,fair.")
@clock_options
@click.option(
    "--missed",
    type=click.IntRange(0),
    help="A seat is absent after this many missed turns in a row; 0: never.",
)
@click.option("--no-clock", is_flag=True, help="Play without a clock.")
@click.option("--handover", type=click.Choice(["none", "offer", "absent", "both"]), help="When seats may change hands.")
@click.option("--offer-wait", metavar="TIME", help="How long an offered seat waits before anyone may take it.")
@click.option("--start", type=click.Choice(["full", "ready"]), help="When all seats are taken, or all are also ready.")
@click.option("--by-link", is_flag=True, help="Unlisted: only people with the table's id can join.")
@click.option("--unsigned", is_flag=True, help=UNSIGNED)
@click.option("--hints", is_flag=True, help="Players may ask a house player for a hint; everyone sees who did.")
@click.option("--asks-games", metavar="NUMBER", type=click.IntRange(0), help="Finished games of anyone who sits down.")
@click.option("--asks-clock", metavar="PERCENT", type=click.IntRange(0, 100), help="Their share of turns in time.")
@click.option("--no-join", is_flag=True, help="Do not take a seat yourself.")
@recovery_option
@with_caller
def main(caller: Caller, kind: str | None, words: tuple[str, ...], listing: bool, guide: bool, **given: Any) -> None:
    """Open a table for a game of TYPE, and sit down; without TYPE, list the games there are.

    \b
    OPTION is a value (auction), NAME=VALUE (variant=auction), or NAME or no-NAME for a yes or no option. Times: 3d,
    12h, 1d 12h, 90m, or seconds.
    """  # noqa: D301 - makes click keep the lines as they are
    api = caller.host.session.api
    if kind is None:
        found = api.get("/v1/types").value
        caller.answer(found, lambda: _types(found))
        return
    shown = api.get(f"/v1/types/{kind}").value
    if listing:
        caller.answer(shown, lambda: _print_options(shown))
    elif guide:
        caller.answer({"guide": shown["guide"]}, lambda: guides.show(kind, shown["guide"]))
    else:
        _open(caller, shown, words, given)


def _open(caller: Caller, shown: Mapping[str, Any], words: tuple[str, ...], given: Mapping[str, Any]) -> None:
    options = table_options.options(shown["options"], words)
    levels = table_options.levels(given["house"])
    people = 0 if given["no_join"] else 1
    seats = given["seats"] or min(max(2, shown["seats"]["fewest"], people + len(levels)), shown["seats"]["most"])
    host = caller.host
    wishes: session.TableWishes = {
        "handover": given["handover"],
        "offer_wait": None if given["offer_wait"] is None else table_options.seconds(given["offer_wait"]),
        "door": "link" if given["by_link"] else "open",
        "unsigned": given["unsigned"],
        "house": table_options.last_seats(levels, seats, people),
        "asks": _asks(given) or None,
        "hints": given["hints"],
        "start": given["start"],
    }
    agreed = UnsignedConsent(unsigned=given["unsigned"], by_mail=given["unsigned"])
    game = session.create_game(host.session, shown["key"], seats, options, _clock(given), **wishes)
    host.sit(game, agreed)
    value: dict[str, Any] = {"game": game, "type": shown["key"], "seats": seats, "options": options, "seat": None}
    value["house"] = levels
    if not given["no_join"]:
        value |= sit_down(caller, game, None, given["recovery"], agreed)
    made = host.session.api.get(f"/v1/games/{game}").value
    caller.answer(
        {**value, "clock": made["clock"], "options": made["options"], "asks": made["asks"]},
        lambda: _made(shown, made, value),
    )


def _asks(given: Mapping[str, Any]) -> dict[str, int]:
    return {name: given[f"asks_{name}"] for name in ("games", "clock") if given[f"asks_{name}"] is not None}


def _clock(given: Mapping[str, Any]) -> Any:
    said = {name: table_options.seconds(given[name]) for name in TIMES if given[name] is not None}
    said |= {} if given["missed"] is None else {"missed": given["missed"]}
    if given["no_clock"] and said:
        raise click.UsageError("--no-clock excludes times for a clock: give one or the other")
    return None if given["no_clock"] else said or "usual"


def _made(shown: Mapping[str, Any], made: Mapping[str, Any], value: Mapping[str, Any]) -> None:
    say(f"A table for {shown['title']}, {count(value['seats'], 'seat')}: {clock_words(made['clock'])}.")
    if made["options"]:
        say("Options: " + ", ".join(f"{name} {table_options.spelled(one)}" for name, one in made["options"].items()))
    if made["asks_words"]:
        say(made["asks_words"])
    say(f"  {made['id']}")
    if value["seat"] is not None:
        say(f"You have seat {value['seat'] + 1}.")
    if made["status"] == "running":
        say("The game has started: `sealedmove play`")
    elif made["start"] == "ready":
        say(WHEN_READY.format(made["id"]))
    elif value["seats"] > len(value["house"]) + (value["seat"] is not None):
        say(f"Others join with `sealedmove join {made['id']}`; the game starts when every seat is taken.")
    else:
        say("The game starts when the house players have sat down, usually within seconds: `sealedmove play`")


def _types(found: list[Mapping[str, Any]]) -> None:
    rows = [[one["key"], one["title"], _span(one["seats"]), "hidden" if one["hidden"] else "open"] for one in found]
    columns(rows, ("type", "title", "players", "play"))
    say("\n`sealedmove new TYPE --list` shows a game's options, `--guide` its guide.")


def _span(seats: Mapping[str, int]) -> str:
    return str(seats["most"]) if seats["fewest"] == seats["most"] else f"{seats['fewest']} to {seats['most']}"


def _print_options(shown: Mapping[str, Any]) -> None:
    say(f"{shown['title']}, for {_span(shown['seats'])} players")
    found = table_options.option_rows(shown["options"])
    if found:
        columns(found, ("option", "may be", "else"))
    else:
        say("It has no options.")
