"""The command `sealedmove`: a table of subcommands, each loaded when it is called.

`audit` and `selfplay` need only `engine` and must not import Flask or SQLAlchemy. So a line of the table has the name
of the module and the command's help, and `sealedmove --help` imports none of them.
"""

import gc
import importlib
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem


class LazyCommand(NamedTuple):
    where: str
    says: str


COMMANDS: dict[str, LazyCommand] = {
    "analyse": LazyCommand("client.commands.analyse:main", "Show the turning points of a finished game."),
    "arena": LazyCommand("client.commands.arena:main", "Measure how strong the levels of a game's players are."),
    "audit": LazyCommand("client.commands.audit:main", "Judge a game's bundle, or a folder of them, offline."),
    "audits": LazyCommand("server.operate.commands:audits", "List games that failed the server's audit."),
    "backup": LazyCommand("server.operate.backup_commands:backup", "Copy the whole database into a file."),
    "bot": LazyCommand("server.operate.house_player_commands:main", "Add, list and remove house players."),
    "cancel": LazyCommand("server.operate.commands:cancel", "Cancel a game on the operator's authority."),
    "certificate": LazyCommand("client.commands.certificate:main", "Print a page that certifies a game."),
    "clock": LazyCommand("workers.clock:main", "Sweep the outbox and play default moves at deadlines."),
    "compare": LazyCommand("client.commands.compare:main", "Compare several people's copies of a game's log."),
    "demo": LazyCommand(
        "client.commands.demo:main", "Play a whole game against a running server, as a third party would."
    ),
    "doctor": LazyCommand("workers.doctor:main", "Check everything a server needs, and print what to do."),
    "edition": LazyCommand("client.commands.edition:main", "Write or check an edition of a game's cards."),
    "events": LazyCommand("workers.streams.main:main", "Serve the event streams of this host."),
    "give": LazyCommand("client.commands.give:main", "Give the others more time, at a table that you opened."),
    "give-up": LazyCommand("server.operate.commands:give_up", "Give up the missing entries of a stopped game."),
    "go-on": LazyCommand("server.operate.commands:go_on", "Let a game go on after a fault in its rules."),
    "golden": LazyCommand("client.commands.golden:main", "Write the golden games again."),
    "games": LazyCommand("client.commands.games:main", "List your games, those waiting for your move first."),
    "grant": LazyCommand("server.operate.commands:grant", "Give seats that owe a move more time, as after an outage."),
    "holidays": LazyCommand("client.commands.holidays:main", "List, announce and end your holidays."),
    "house": LazyCommand("workers.supervisor:main", "Run everything beside the web server, under one supervisor."),
    "hooks": LazyCommand("workers.hooks.main:main", "Send events to webhooks."),
    "inbound": LazyCommand("workers.replies.main:main", "Receive replies to our emails."),
    "invitations": LazyCommand("client.commands.invitations:main", "List and decline invitations; invite others."),
    "join": LazyCommand("client.commands.join:main", "Take a seat of a game."),
    "keys": LazyCommand("client.commands.keys:main", "List, add and drop the keys that sign for you."),
    "limits": LazyCommand("client.commands.limits:main", "Show the limits of your account."),
    "login": LazyCommand("client.commands.login:main", "Sign in at a server with an emailed link."),
    "logout": LazyCommand("client.commands.logout:main", "Sign out on this machine."),
    "mail": LazyCommand("workers.mail.commands:main", "List failed emails, or send a test email."),
    "mailbox": LazyCommand("workers.dev.mailbox:main", "Catch all mail and show it on a page; nothing is sent out."),
    "migrate": LazyCommand("server.operate.migrate_command:migrate", "Migrate the database to this version."),
    "new": LazyCommand("client.commands.new:main", "Open a table."),
    "openapi": LazyCommand(
        "server.operate.openapi:openapi", "Write openapi/openapi.json, or check that it is current."
    ),
    "operate": LazyCommand("server.operate.main:main", "Look after accounts, games and jobs; read the operator's log."),
    "pause": LazyCommand("client.commands.pause:main", "Pause a game, alone as its host or with all players."),
    "play": LazyCommand("client.commands.play:main", "Play your turn, at a terminal or by one line."),
    "players": LazyCommand("client.commands.players:main", "Play for the house players, as any bot could."),
    "quarantine": LazyCommand(
        "server.operate.commands:show_quarantine", "List what the workers could not process and will try again."
    ),
    "ready": LazyCommand("client.commands.ready:main", "State that you are ready to start a game."),
    "redis": LazyCommand(
        "workers.dev.redis:main", "Run the Redis-protocol server that comes with the development extra."
    ),
    "resign": LazyCommand("client.commands.resign:main", "Resign a running game, or leave a seat before the start."),
    "rematch": LazyCommand("client.commands.rematch:main", "Open a table for the same players after a game."),
    "reset-events": LazyCommand(
        "server.operate.commands:reset_events", "After a restore: notify readers of events that some are lost."
    ),
    "restore": LazyCommand("server.operate.backup_commands:restore", "Fill an empty database from a backup."),
    "rules": LazyCommand("server.operate.rules_commands:main", "Compare rules versions over all stored games."),
    "run": LazyCommand("workers.dev.runner:main", "Run everything on this machine."),
    "selfplay": LazyCommand("client.commands.selfplay:main", "Play random games and print statistics."),
    "show": LazyCommand("client.commands.show:main", "Show a game: its board, whose turn it is, and its history."),
    "stopped": LazyCommand("server.operate.commands:stopped", "List stopped games and proofs of forks."),
    "talk": LazyCommand("client.commands.talk:main", "Read the table talk, or write to the table."),
    "variables": LazyCommand("server.operate.variables:main", "Print every environment variable of the server."),
    "verify": LazyCommand("server.operate.backup_commands:verify", "Audit every game of the database."),
    "watch": LazyCommand("client.commands.watch:main", "Follow and check a running game as a spectator."),
    "welcome": LazyCommand("server.operate.commands:welcome", "Print a link that signs you in at this machine."),
    "worker": LazyCommand("workers.worker:main", "Run the jobs of the queue."),
}


DEVELOPMENT = ("psutil",)  # modules of the extra `dev` that a command needs: `run` starts and stops processes with it


class LazyGroup(click.Group):
    """A group whose commands are lines of a table until one is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        line = COMMANDS.get(cmd_name)
        return None if line is None else load(line.where)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete from the table, so that a shell does not load every command."""
        return [
            CompletionItem(name, help=COMMANDS[name].says) for name in sorted(COMMANDS) if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].says) for name in sorted(COMMANDS)])


def load(where: str) -> click.Command:
    """Import the command `module:name`.

    Garbage collection is off meanwhile: it would find nothing, and take a fifth of the time.
    """
    module, _, name = where.partition(":")
    gc.disable()
    try:
        command = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as missing:
        if missing.name in DEVELOPMENT:
            raise click.ClickException(f"this needs {missing.name}: install sealedmove[dev]") from None
        raise
    finally:
        gc.enable()
    gc.freeze()
    if not isinstance(command, click.Command):
        message = f"{where} is not a command"
        raise TypeError(message)
    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sealedmove")
def main() -> None:
    """Slow board games with signed moves: play, host, and check them."""


if __name__ == "__main__":
    main()
