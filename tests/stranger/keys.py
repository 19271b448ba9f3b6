"""Section 5.1: Ed25519 keys as JWKs, and signatures verified strictly."""

import hashlib

from nacl import bindings
from nacl.exceptions import CryptoError

from tests.stranger.lines import H, Refused, exactly, need, read_sent, tobase, unbase, write

ORDER = 2**252 + 27742317777372353535851937790883648493
IDENTITY = b"\1" + bytes(31)


def good_point(public):
    """Whether these are the canonical bytes of a point of the prime-order subgroup, not the identity."""
    return len(public) == 32 and bool(bindings.crypto_core_ed25519_is_valid_point(public))


def point(text):
    """The 32 bytes of a public key from base64url."""
    public = unbase(text, 32)
    need(good_point(public), "not a point that may be a key")
    return public


def public_of(jwk):
    """The bytes of a key from its JWK."""
    exactly(jwk, "crv", "kty", "x")
    need(jwk["crv"] == "Ed25519" and jwk["kty"] == "OKP", "not an Ed25519 key")
    return point(jwk["x"])


def kid_of(public):
    """The thumbprint, 32 bytes."""
    return H(write({"crv": "Ed25519", "kty": "OKP", "x": tobase(public)}).encode("ascii"))


def read_key(text):
    """A JWK as a player sends it."""
    return public_of(read_sent(text))


def times(scalar, base):
    """[scalar]P for a P of prime order; B where P is None."""
    if scalar % ORDER == 0:
        return IDENTITY
    number = (scalar % ORDER).to_bytes(32, "little")
    if base is None:
        return bindings.crypto_scalarmult_ed25519_base_noclamp(number)
    return bindings.crypto_scalarmult_ed25519_noclamp(number, base)


def verify(public, message, signature):
    """Refuses a signature that is not valid; `public` is checked too."""
    need(good_point(public), "not a point that may be a key")
    need(len(signature) == 64, "a signature of another length")
    R, S = signature[:32], int.from_bytes(signature[32:], "little")
    need(S < ORDER, "S is not below L")
    # What R must equal lies in the prime-order subgroup: of the points of small order it can only be the identity.
    need(R != IDENTITY, "R is of small order")
    k = int.from_bytes(hashlib.sha512(R + public + message).digest(), "little")
    try:
        expected = bindings.crypto_core_ed25519_sub(times(S, None), times(k, public))
    except (CryptoError, RuntimeError):
        raise Refused("the signature cannot be computed") from None
    need(expected == R, "not the signature of this key")
