"""A real SMTP server that stores its mails and can be told to refuse."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.servers import free
from tests.servers.lines import Controller


class Caught:
    """The mails in order of arrival; `answer` is the answer to the next mails (`451 later`, `550 never`)."""

    def __init__(self, port: int) -> None:
        self.url = f"smtp://127.0.0.1:{port}"
        self.port = port
        self.envelopes: list[Envelope] = []
        self.answer = "250 kept"

    @property
    def messages(self) -> list[EmailMessage]:
        return [message_from_bytes(one.original_content or b"", policy=policy.default) for one in self.envelopes]

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.answer.startswith("2"):
            self.envelopes.append(envelope)
        return self.answer


@contextmanager
def running(port: int | None = None) -> Iterator[Caught]:
    """An SMTP server on this port of the loopback address, or on a free one."""
    caught = Caught(port or free.ports(1)[0])
    controller = Controller(caught, hostname="127.0.0.1", port=caught.port, enable_SMTPUTF8=True)
    controller.start()
    try:
        yield caught
    finally:
        controller.stop()
