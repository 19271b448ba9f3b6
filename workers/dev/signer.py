"""The key of the mail page: an answer written there is signed like any other mail (DKIM), for any domain.

Its DKIM record is in `dkim.txt` beside the mails, which the server on this machine reads instead of the DNS. No server
that others can reach reads it.
"""

import base64
import os
import secrets
from email.message import EmailMessage
from pathlib import Path

import dkim
from nacl.signing import SigningKey

SELECTOR = b"sealedmove-local"
COVERED = [b"from", b"to", b"date", b"subject", b"message-id", b"content-type"]


class PageSigner:
    """The signing key, made on the first start; readable only by its owner."""

    def __init__(self, folder: Path) -> None:
        self.key = SigningKey(_seed(folder / "dkim.key"))
        record = b"v=DKIM1; k=ed25519; p=" + base64.b64encode(bytes(self.key.verify_key))
        (folder / "dkim.txt").write_bytes(record + b"\n")

    def signed(self, message: EmailMessage) -> bytes:
        """The mail with a DKIM signature of its sender's domain."""
        raw = message.as_bytes(policy=message.policy.clone(linesep="\r\n"))
        domain = message["From"].addresses[0].domain.encode("ascii")
        private = base64.b64encode(bytes(self.key))
        signature = dkim.sign(
            raw, SELECTOR, domain, private, include_headers=COVERED, signature_algorithm=b"ed25519-sha256"
        )
        return bytes(signature) + raw


def _seed(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        kept = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return bytes.fromhex(path.read_text(encoding="ascii").strip())
    seed = secrets.token_bytes(32)
    with os.fdopen(kept, "w", encoding="ascii") as file:
        file.write(seed.hex() + "\n")
    return seed
