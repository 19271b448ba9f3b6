"""The keys of servers: the first key seen for a host holds for all its games on this machine.

The first game at a host pins its key, with the list of keys in `/.well-known/sealedmove.json` if there is one. A later
key is accepted only if a document continues that list, each key signed by the one before it. Every other key, and
every document that does not continue the list, raises DistrustError. A host without the document has only the key that
was seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from client import atomic_files, folders
from client.errors import DistrustError
from client.folders import folder_of
from engine.errors import BadRecord, NewerRecord
from engine.record.encoding import canonical
from engine.record.log import bundle
from engine.record.signed import keys, note, server_keys
from engine.record.signed.server_keys import ServerKeys

KnownServer = ServerKeys | bytes | None


class Pin(msgspec.Struct):
    """The keys of a server as they were seen, the oldest first, in base64url.

    `whole` means that the document was seen, so that the first key is the server's first. Otherwise there may be older
    keys, but they are not accepted: anyone can make a key that names ours as the next.
    """

    server: str
    keys: list[str]
    whole: bool

    def known(self) -> ServerKeys:
        return ServerKeys(self.server, tuple(canonical.from_base64url(key, 32) for key in self.keys))


def compared_with(known: KnownServer, data: bytes) -> tuple[KnownServer, bool]:
    """The keys to audit this bundle with: those that are given, or those that this machine has kept of its server.

    The second value is True for kept ones.
    """
    if known is not None:
        return known, False
    server, home = _server_of(data), _home()
    kept = None if server is None or home is None else pins_at(home, server).known(server)
    return kept, kept is not None


def all_kept() -> list[bytes]:
    """All server keys pinned on this machine, as stored; a verdict may depend on them."""
    home = _home()
    files = [] if home is None else sorted(home.glob("hosts/*/games/servers/*.json"))
    return [path.read_bytes() for path in files]


def _server_of(data: bytes) -> str | None:
    try:
        return note.read(bundle.read(data).note).server
    except (BadRecord, NewerRecord):
        return None  # the audit says why


def _home() -> Path | None:
    try:
        return folder_of()
    except RuntimeError:  # a user without a home directory has kept nothing
        return None


def pins_at(home: Path, server: str) -> Pins:
    """The keys of this server that the games in a person's folder have pinned."""
    return Pins(home / "hosts" / quote(server, safe="") / "games")


class Pins:
    """The keys of servers, a file each, in the folder above the games."""

    def __init__(self, games: Path) -> None:
        self.folder = games / "servers"

    def known(self, host: str) -> ServerKeys | None:
        """The accepted keys of this host."""
        pin = self._pin(host)
        return None if pin is None else pin.known()

    def forget(self, host: str) -> None:
        """Forget the keys after a person has confirmed that the server has new ones: the next one seen is pinned."""
        self._path(host).unlink(missing_ok=True)

    def check(self, host: str, public: bytes, document: Any) -> None:
        """Check the key (32 bytes) of a game of this host; DistrustError unless it is one of the host's.

        `document` is the parsed well-known document, or None if the host has none.
        """
        pin, shown = self._pin(host), _parse_keys(host, document)
        new = _first(host, public, shown) if pin is None else pin if shown is None else _continued(pin, shown)
        if canonical.to_base64url(public) not in new.keys:
            known = ", ".join(map(keys.thumbprint, new.known().keys))
            found = keys.thumbprint(public)
            raise DistrustError(
                "other-server-key", f"{host} signs this game with {found}, but its known keys are {known}"
            )
        if new != pin:
            self._keep(new)

    def _keep(self, pin: Pin) -> None:
        folders.make_private(self.folder)
        atomic_files.write(self._path(pin.server), msgspec.json.encode(pin))

    def _pin(self, host: str) -> Pin | None:
        kept = atomic_files.read(self._path(host))
        return None if kept is None else msgspec.json.decode(kept, type=Pin)

    def _path(self, host: str) -> Path:
        return self.folder / f"{quote(host, safe='')}.json"


def _parse_keys(host: str, document: Any) -> ServerKeys | None:
    if document is None:
        return None
    try:
        shown = server_keys.read(document)
    except BadRecord as wrong:
        raise DistrustError(wrong.code, f"the list of keys of {host} does not hold: {wrong.says}") from wrong
    if shown.server != host:
        raise DistrustError("other-server-keys", f"{host} shows the list of keys of {shown.server}")
    return shown


def _first(host: str, public: bytes, shown: ServerKeys | None) -> Pin:
    found = (public,) if shown is None else shown.keys
    return Pin(host, list(map(canonical.to_base64url, found)), shown is not None)


def _continued(pin: Pin, shown: ServerKeys) -> Pin:
    """The longer list if it continues ours; the rest of a list of which we knew a part."""
    known, listed = pin.known(), list(map(canonical.to_base64url, shown.keys))
    start = listed.index(pin.keys[0]) if not pin.whole and pin.keys[0] in listed else 0
    if not server_keys.continues(known, ServerKeys(shown.server, shown.keys[start:])):
        says = f"the list of keys that {pin.server} shows does not continue the one seen before"
        raise DistrustError("other-server-keys", says)
    return Pin(pin.server, listed[start:], pin.whole)
