"""The command `sealedmove`: a table of subcommands, each loaded when it is called.

`audit` and `selfplay` need `engine` alone, so calling them must not import Flask or SQLAlchemy: a line of the table
names the module and says what the command does, and `sealedmove --help` imports none of them.
"""

import gc
import importlib
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem


class Line(NamedTuple):
    where: str
    says: str


COMMANDS: dict[str, Line] = {
    "arena": Line("client.commands.arena:main", "Measure how strong the levels of a game's players are."),
    "audit": Line("client.commands.audit:main", "Judge a game's bundle, offline."),
    "bot": Line("server.house_players:main", "House players: add, list and remove them."),
    "cancel": Line("server.operator:cancel", "End a game by the server's word."),
    "certificate": Line("client.commands.certificate:main", "Print a page that certifies a game."),
    "clock": Line("workers.clock:main", "Sweep the outbox and keep the deadlines."),
    "compare": Line("client.commands.compare:main", "Compare what several people have of a game."),
    "demo": Line("client.commands.demo:main", "Play a whole game against a running server, as a third party would."),
    "edition": Line("client.commands.edition:main", "Write or check an edition of a game's cards."),
    "events": Line("workers.streams.main:main", "Hold the event streams of this host."),
    "give": Line("client.commands.give:main", "Give the others more time, at a table that you opened."),
    "go-on": Line("server.operator:go_on", "Let a game go on without the entries that are missing."),
    "golden": Line("client.commands.golden:main", "Write the golden games again."),
    "games": Line("client.commands.games:main", "List your games: yours to move first."),
    "grant": Line("server.cli:grant", "Give time to seats that owe a move, as after an outage."),
    "hooks": Line("workers.hooks.main:main", "Send events to webhooks."),
    "inbound": Line("workers.replies.main:main", "Take in mail that answers ours."),
    "join": Line("client.commands.join:main", "Take a seat of a game."),
    "keys": Line("client.commands.keys:main", "List, add and drop the keys that sign for you."),
    "login": Line("client.commands.login:main", "Sign in at a server, by a link in a mail."),
    "mail": Line("workers.mail.commands:main", "List mails that failed, or send one to see whether mail goes out."),
    "mailbox": Line("workers.dev.mailbox:main", "Catch all mail and show it on a page; never sends any out."),
    "migrate": Line("server.cli:migrate", "Bring the database to this version's tables."),
    "new": Line("client.commands.new:main", "Open a table."),
    "openapi": Line("server.openapi:openapi", "Write openapi/openapi.json, or check that it is current."),
    "play": Line("client.commands.play:main", "Play your turn, at a terminal or by one line."),
    "players": Line("client.commands.players:main", "Play for the house players, as any bot could."),
    "redis": Line("workers.dev.redis:main", "Run the Redis-protocol server that comes with the development extra."),
    "resign": Line("client.commands.resign:main", "Give a game up, or a seat back."),
    "reset-events": Line(
        "server.operator:reset_events", "After a restore: tell who follows events that some are gone."
    ),
    "run": Line("workers.dev.runner:main", "Run everything on this machine."),
    "selfplay": Line("client.commands.selfplay:main", "Play random games and count."),
    "show": Line("client.commands.show:main", "Show a game: the board, who owes what, what has happened."),
    "stopped": Line("server.operator:stopped", "List stopped games and proofs of forks."),
    "watch": Line("client.commands.watch:main", "Follow a running game as anybody, and check it as it goes."),
    "welcome": Line("server.cli:welcome", "Print a link that signs in whoever is at this machine."),
    "worker": Line("workers.worker:main", "Carry out jobs of one queue."),
}


class Table(click.Group):
    """A group whose commands are lines of a table until one is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        line = COMMANDS.get(cmd_name)
        return None if line is None else load(line.where)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """By the table, so that a shell does not load every command to complete one."""
        return [
            CompletionItem(name, help=COMMANDS[name].says) for name in sorted(COMMANDS) if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].says) for name in sorted(COMMANDS)])


def load(where: str) -> click.Command:
    """The command that `module:name` says.

    What a program is made of stays until it ends: collecting garbage while it is loaded finds none, and takes a fifth
    of the time.
    """
    module, _, name = where.partition(":")
    gc.disable()
    try:
        command = getattr(importlib.import_module(module), name)
    finally:
        gc.enable()
    gc.freeze()
    if not isinstance(command, click.Command):
        message = f"{where} is no command"
        raise TypeError(message)
    return command


@click.group(cls=Table, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sealedmove")
def main() -> None:
    """Slow board games by signed moves: play, run, and check them."""


if __name__ == "__main__":
    main()
