"""`sealedmove mailbox`: an SMTP server that catches every mail, and the page that shows them; forwards nothing."""

import signal
import threading
from pathlib import Path

import click
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from werkzeug.serving import make_server

from workers import stopping
from workers.dev.mailpage import create_app
from workers.dev.mailstore import Store
from workers.dev.signer import PageSigner

LOOPBACK = "127.0.0.1"


class KeepHandler:
    """The SMTP server's handler: every recipient is known and every mail is kept."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: ARG002 - aiosmtpd's
        content = envelope.original_content or b""
        return f"250 kept as {self.store.add(envelope.mail_from or '', envelope.rcpt_tos, content)}"


def smtp_server(store: Store, port: int) -> Controller:
    """An SMTP server that catches mail on this loopback port, in a thread of its own, once started."""
    return Controller(KeepHandler(store), hostname=LOOPBACK, port=port, enable_SMTPUTF8=True)


@click.command()
@click.option("--data-dir", envvar="DATA_DIR", default="var", type=click.Path(file_okay=False, path_type=Path))
@click.option("--smtp-port", envvar="SMTP_PORT", default=8002)
@click.option("--page-port", envvar="MAIL_PAGE_PORT", default=8001)
@click.option("--inbound", envvar="INBOUND_SMTP", default="", help="SMTP server for answers, as smtp://host:port")
def main(data_dir: Path, smtp_port: int, page_port: int, inbound: str) -> None:
    """Catch all mail and show it on a page; never sends any out."""
    store = Store(data_dir / "mail")
    smtp = smtp_server(store, smtp_port)
    signer = PageSigner(data_dir / "mail")
    page = make_server(LOOPBACK, page_port, create_app(store, inbound, signer.signed), threaded=True)
    stop = stopping.on_signals(signal.SIGINT, signal.SIGTERM)
    smtp.start()
    threading.Thread(target=page.serve_forever, daemon=True).start()
    stop.wait()
    page.shutdown()
    smtp.stop()
