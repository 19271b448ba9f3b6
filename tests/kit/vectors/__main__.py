"""`python -m tests.kit.vectors [FOLDER]` writes the vector files, by default into conformance/vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conformance.vector_files import FOLDER
from tests.kit.vectors import accounts, clocks, compared, entries, files, lines, mails, server_keys, signed
from tests.kit.vectors.values import values

CASES: dict[str, tuple[str, Callable[[], list[dict[str, Any]]]]] = {
    "lines": ("The input is one line, to be read as canonical JSON.", lines.line_cases),
    "entries": ("The input is the line of an entry, to be read and judged alone.", entries.entry_cases),
    "base64url": ("The input is base64url text in which 32 bytes are due.", lines.base64url_cases),
    "sent": ("The input is JSON as a player sends it.", lines.sent_cases),
    "jws": ("The input is a compact JWS; verify it with the key of seed 01*32, read its payload.", signed.jws_cases),
    "keys": ("The input is the text of a JWK, to be registered.", signed.key_cases),
    "ed25519": ("The input is a public key in hex; verify the signature over the message.", signed.ed25519_cases),
    "moves": ("The input is the text of a move; `sealed` is what was signed.", signed.move_cases),
    "notes": ("The input is a note, to be verified with the key of seed 09*32.", files.note_cases),
    "notes-in-mail": ("The input is a text in which notes are looked for.", mails.mail_cases),
    "server-keys": ("The input is the document of a server's keys.", server_keys.server_key_cases),
    "compare": ("How the second holding of a game stands to the first.", compared.compare_cases),
    "clock": ("What each seat is promised after each entry.", clocks.clock_cases),
    "registrations": (
        "The input registers the key of seed 01*32 with account 7 at games.example, for the nonce 02*32.",
        accounts.registration_cases,
    ),
    "statements": (
        "The input goes with account 7's request at games.example to do `act` to `about` (nonce: 02*32).",
        accounts.statement_cases,
    ),
    "key-backups": (
        "The input is the key backup of account 7 at games.example, to be opened with the code `unlock`.",
        accounts.backup_cases,
    ),
    "bundle-form": ("The input is a file, to be read as a bundle without reading its entries.", files.bundle_cases),
}


def texts() -> dict[str, str]:
    """Each file's name and text."""
    wanted: dict[str, Any] = {"values": values()}
    wanted |= {name: {"about": about, "cases": make()} for name, (about, make) in CASES.items()}
    wanted["server-keys"]["pairs"] = server_keys.pairs()
    wanted["compare"]["texts"] = compared.texts()
    return {f"{name}.json": json.dumps(value, indent=1, ensure_ascii=True) + "\n" for name, value in wanted.items()}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (folder / name).write_text(text, "ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
