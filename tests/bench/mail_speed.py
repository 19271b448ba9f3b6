"""From the answer to a move, which follows its commit at once, to the next player's mail at the SMTP server."""

import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import pytest

from client import session
from client.caught_mails import Mailbox
from client.http import Api
from tests.e2e.instance import Instance
from tests.kit import installed

from . import mail_rates
from .table import Crowd, PigTable
from .timing import heading, line

TURNS = 60


def main() -> None:
    mail_rates.report()
    heading("Mail: from the answer to a move to the delivery of the turn mail (aim: median 250 ms)")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", installed.ENV["PYTHONPATH"])
        house = Instance(Path(folder) / "house").start()
        try:
            report(house)
        finally:
            house.stop()


def report(house: Instance) -> None:
    mailboxes = [Mailbox(Api(house.mail_url), f"bench.{number}@players.example") for number in range(2)]
    crowd = Crowd(house.url, [token_of(house, mailbox) for mailbox in mailboxes])
    waits: list[float] = []
    table = crowd.table()
    while len(waits) < TURNS:
        table = crowd.table() if table.over else table
        waits += one(table, mailboxes)
    line("median", f"{median(waits) * 1e3:,.0f} ms", f"{len(waits)} turn mails, one after the other")
    line("nine of ten within", f"{quantiles(waits, n=10)[-1] * 1e3:,.0f} ms")


def token_of(house: Instance, mailbox: Mailbox) -> str:
    api = Api(house.url)
    session.request_link(api, mailbox.address, "Bench")
    mail = mailbox.wait_for(lambda one: session.token_in(one["text"]) is not None, "the sign-in link")
    return session.confirm(api, session.token_in(mail["text"]) or "").api.token or ""


def one(table: PigTable, mailboxes: list[Mailbox]) -> list[float]:
    """Seconds for the mail that one move caused; none if the move ended the game."""
    table.turn()
    answered = time.time_ns()
    if table.over:
        return []
    seat = table.moves % 2
    start = f"<g.{table.id}.e{table.seq - 1}.{seat}.turn@"
    mail = mailboxes[seat].wait_for(lambda one: one["message_id"].startswith(start), "the turn mail")
    arrived = int(mail["id"].partition("Q")[0])  # the mailbox names a mail by the nanosecond of its arrival
    return [(arrived - answered) / 1e9]
