"""A server whose mails can be answered, and people who answer them with signed mails."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import contextmanager, suppress
from datetime import datetime
from email.message import EmailMessage
from functools import partial
from itertools import count
from typing import Any

import sqlalchemy as sa

from server.kernel.db.models import Account, Entry, Game, InboundMail, Notification, Outbox, Plan
from server.kernel.logs import apart
from server.mailbox.inbound import IncomingMail, keep
from tests.kit.patience import PATIENCE
from tests.servers import free
from tests.servers.lines import Lines
from tests.workers.harness import Harness, Sink, deliver_in, recipient
from tests.workers.replies.mail import dns, signed, written
from workers.dispatch import dispatch_in
from workers.mail.reply_addresses import bounce as bounce_address
from workers.replies.batch_writer import BatchWriter
from workers.replies.process import process_in
from workers.replies.smtp_server import ConnectionLimits, protocol

REPLY, BOUNCE, COMPLAINTS = "move+{token}@play.example", "bounce+{token}@play.example", "complaints@play.example"
_numbers = count(1)


class Post(Harness):
    """Mails go out to `sink` and come in by `arrive`."""

    def __init__(self, database_url: str, sink: Sink, **more: Any) -> None:
        super().__init__(
            database_url,
            sink,
            dns=dns,
            reply_address=REPLY,
            bounce_address=BOUNCE,
            complaint_address=COMPLAINTS,
            **more,
        )

    def asked(self, name: str, nth: int = -1) -> EmailMessage:
        """The last mail to this person with a reply address. No header is parsed again: a whole game has many mails."""
        return [mail for mail in self.sink.mails if "Reply-To" in mail and recipient(mail).username == name][nth]

    def written(self, mail: EmailMessage, text: str, **changed: str) -> bytes:
        """A signed answer by the mail's recipient."""
        heads = {"from_": str(mail["To"]), "message_id": f"<{next(_numbers)}@example.org>", **changed}
        to = heads.pop("to", str(mail["Reply-To"]))
        return signed(written(text, to, self.services.now(), **heads))

    def arrive(self, raw: bytes, mail: EmailMessage, **more: Any) -> list[str]:
        """Receive a mail and store it unread, if there is room."""
        to = mail["Reply-To"].addresses[0].addr_spec
        return keep(self.services, [IncomingMail(to, raw, "smtp", **more)])

    def read(self) -> list[str]:
        """Read every waiting mail once; returns the results."""
        with self.services.database.read() as session:
            waiting = sa.select(InboundMail.id).where(InboundMail.state != "done").order_by(InboundMail.id)
            numbers = list(session.scalars(waiting))
        return [did for number in numbers if (did := process_in(self.ctx, number)) != "not-due"]

    def react(self) -> list[str]:
        """Dispatch and deliver waiting rows only: a whole game has many."""
        with self.services.database.read() as session:
            rows = list(session.scalars(sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None)).order_by(Outbox.id)))
        for row in rows:
            apart(partial(dispatch_in, self.ctx, row))
        with self.services.database.read() as session:
            due = list(session.scalars(sa.select(Notification.id).where(Notification.state == "pending")))
        for number in due:
            deliver_in(self.ctx, number)
        return self.sink.subjects()

    def reply(self, name: str, text: str, **changed: str) -> list[str]:
        """Answer the last mail, read the answer and send the resulting mails; returns the result."""
        mail = self.asked(name)
        self.arrive(self.written(mail, text, **changed), mail)
        did = self.read()
        self.react()
        return did

    def told(self, name: str) -> EmailMessage:
        """The last mail to this person."""
        return next(mail for mail in reversed(self.sink.mails) if recipient(mail).username == name)

    def lines(self, game_id: str) -> list[dict[str, Any]]:
        """The public log."""
        rows = sa.select(Entry.line).where(Entry.game_id == game_id).order_by(Entry.seq)
        with self.services.database.read() as session:
            return [json.loads(line) for line in session.scalars(rows)]

    def set_email(self, name: str, email: str) -> None:
        with self.services.database.write() as session:
            session.execute(sa.update(Account).where(Account.email == f"{name}@example.org").values(email=email))

    def fault(self, game_id: str, at: datetime | None) -> None:
        """Stop the game by a fault, or let it go on."""
        with self.services.database.write() as session:
            session.execute(sa.update(Game).where(Game.id == game_id).values(faulted_at=at))

    def sender(self, row: Notification) -> str:
        """The envelope sender of this mail."""
        with self.services.database.read() as session:
            email = session.get_one(Account, row.account_id).email
        return bounce_address(self.ctx, row, email) or ""

    def report(self, to: str, raw: str) -> list[str]:
        """Send a mail to this address and read it; returns the result if it was stored."""
        keep(self.services, [IncomingMail(to, raw.encode(), "smtp")])
        return self.read()

    def bounce(self, row: Notification, status: str, says: str, action: str = "failed") -> list[str]:
        """Report to its sender that this mail could not be delivered."""
        to = self.sender(row)
        return self.report(to, returned(to, status, says, action))

    def kept(self) -> list[InboundMail]:
        with self.services.database.read() as session:
            return list(session.scalars(sa.select(InboundMail).order_by(InboundMail.id)))

    def plans(self) -> list[Plan]:
        with self.services.database.read() as session:
            return list(session.scalars(sa.select(Plan)))


def begun(post: Post, kind: str = "pig", unsigned: bool = True, **options: Any) -> str:
    """A game of Ada and Ben; the player to move has their mail."""
    game = post.game(kind, unsigned=unsigned, **options)
    post.react()
    return game


def mover(post: Post, game: str) -> str:
    """The name of the player to move."""
    return ("ada", "ben")[post.table(game).active[0]]


def returned(to: str, status: str, says: str, action: str = "failed") -> str:
    """A report of failed delivery by RFC 3464."""
    return (
        f"From: <>\r\nTo: {to}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\n\r\nIt came back.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; x@example.org\r\nAction: {action}\r\n"
        f"Status: {status}\r\nDiagnostic-Code: smtp; {says}\r\n\r\n--b--\r\n"
    )


def plain(mail: EmailMessage) -> str:
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


@contextmanager
def door(post, scheme="smtp", limits=None, store=keep, port=None, certificate=None):
    """The port of a real server in its own thread."""
    port, loop = port or free.ports(1)[0], asyncio.new_event_loop()
    keeper = BatchWriter(partial(store, post.services))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def soon(work):
        return asyncio.run_coroutine_threadsafe(work, loop)

    at, limits = f"{scheme}://127.0.0.1:{port}", limits or ConnectionLimits()
    serve, host, port = protocol(at, post.settings, keeper, limits, certificate)

    lines = Lines(serve)

    async def begin():
        return await loop.create_server(lines, host, port), loop.create_task(keeper.run())

    server, writer = soon(begin()).result(PATIENCE)

    async def end():
        writer.cancel()
        with suppress(asyncio.CancelledError):
            await writer
        await lines.close(server)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    try:
        yield port
    finally:
        soon(end()).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()
