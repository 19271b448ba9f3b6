"""A compact JWS (RFC 7515, 8037) as a player signs one: a header of exactly alg, kid and typ, and a JSON object.

`alg` may carry the old name (`EdDSA`, RFC 8037) or the new one (`Ed25519`, RFC 9864) and decides nothing: the key
does, and every key is Ed25519.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import keys

MAX_JWS = 2**14
TYP = "sealedmove+jws"
ALGS = ("Ed25519", "EdDSA")


class Jws(msgspec.Struct, frozen=True):
    """A JWS as it was read; nothing is known of its signature before `verify`."""

    header: dict[str, Any]
    payload: dict[str, Any]
    kid: str
    signing_input: bytes
    signature: bytes
    text: str

    def verify(self, public: bytes) -> None:
        """BadRecord unless this key has the JWS's kid and made its signature."""
        if keys.thumbprint(public) != self.kid:
            raise BadRecord("wrong-key", "the JWS names another key")
        if not keys.verify(public, self.signing_input, self.signature):
            raise BadRecord("bad-signature", "the signature does not hold")


def sign(seed: bytes, payload: dict[str, Any], typ: str = TYP, alg: str = "Ed25519") -> str:
    """The compact JWS of a payload; BadRecord if it would be longer than a JWS may be."""
    header = {"alg": alg, "kid": keys.thumbprint(keys.public_of(seed)), "typ": typ}
    signing_input = ".".join(canonical.to_base64url(canonical.dumps(part)) for part in (header, payload))
    text = f"{signing_input}.{canonical.to_base64url(keys.sign(seed, signing_input.encode()))}"
    _check_length(text)
    return text


def read(compact: object, typ: str = TYP) -> Jws:
    """The parts of a compact JWS, its signature not yet verified; BadRecord if it is none or of another `typ`."""
    if not isinstance(compact, str):
        raise BadRecord("bad-jws", "a JWS is a string in compact form")
    _check_length(compact)
    parts = compact.split(".")
    if len(parts) != 3:
        raise BadRecord("bad-jws", "a compact JWS has three parts")
    header = _read_header(parts[0], typ)
    payload = canonical.loads_sent(canonical.from_base64url(parts[1]))
    signature = canonical.from_base64url(parts[2], 64)
    return Jws(header, payload, header["kid"], f"{parts[0]}.{parts[1]}".encode(), signature, compact)


def kid_of(compact: str) -> str | None:
    """The kid in the header of a JWS; None if it has no good header."""
    try:
        return str(_read_header(compact.partition(".")[0], TYP)["kid"])
    except BadRecord:
        return None


@lru_cache(maxsize=256)
def _read_header(text: str, typ: str) -> dict[str, Any]:
    """A key writes the same header in every JWS: nobody may change the one that is kept."""
    header = canonical.loads_sent(canonical.from_base64url(text))
    if set(header) != {"alg", "kid", "typ"}:
        raise BadRecord("bad-header", "the header of a JWS has exactly the members alg, kid and typ")
    if header["alg"] not in ALGS:
        raise BadRecord("bad-alg", "the algorithm of a JWS is Ed25519, also called EdDSA")
    if header["typ"] != typ:
        raise BadRecord("bad-typ", f"a JWS of type {typ} is due here")
    canonical.from_base64url(header["kid"], 32)
    return header


def _check_length(text: str) -> None:
    if len(text) > MAX_JWS:
        raise BadRecord("too-long", f"a JWS has at most {MAX_JWS} characters, this one {len(text)}")
