"""Ed25519 keys and signatures (5.1). The arithmetic judges keys and small orders; `cryptography` judges signatures."""

from functools import cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.stranger.lines import H, Json, Refused, bytes32, members, need, read_sent, to_base64url, write

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
d = -121665 * pow(121666, -1, P) % P

Point = tuple[int, int, int, int]  # X, Y, Z, T of RFC 8032, section 5.1.4
IDENTITY: Point = (0, 1, 1, 0)


def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, e = 2 * p[3] * q[3] * d, 2 * p[2] * q[2]
    x, f, g, y = b - a, e - c, e + c, b + a
    return x * f % P, g * y % P, f * g % P, x * y % P


def _times(scalar: int, point: Point) -> Point:
    total = IDENTITY
    for bit in f"{scalar:b}":
        total = _add(total, total)
        if bit == "1":
            total = _add(total, point)
    return total


def _is_identity(point: Point) -> bool:
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


def _decode(encoded: bytes) -> Point:
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    need(y < P, "the encoding of the point is not canonical")
    square = (y * y - 1) * pow(d * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    need(x * x % P == square, "this is not a point of the curve")
    need(x or not sign, "the encoding of the point is not canonical")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


@cache
def _fault(public: bytes) -> str | None:
    try:
        point = _decode(public)
    except Refused as refused:
        return str(refused)
    if _is_identity(point):
        return "the key is the identity"
    return None if _is_identity(_times(L, point)) else "the key is not of the prime-order subgroup"


def check_public(public: bytes) -> bytes:
    """Return the same 32 bytes if they are a valid key."""
    fault = _fault(public)
    need(fault is None, f"{fault}: {public.hex()}")
    return public


@cache
def _is_small(encoded: bytes) -> bool:
    try:
        return _is_identity(_times(8, _decode(encoded)))
    except Refused:
        return False  # the library refuses it: it compares R with an encoding that is canonical


def verify(public: bytes, message: bytes, signature: bytes) -> None:
    """Without cofactor: R is byte for byte the encoding of [S]B - [k]A."""
    check_public(public)
    need(len(signature) == 64, f"a signature of {len(signature)} bytes")
    need(int.from_bytes(signature[32:], "little") < L, "S is not below L")
    need(not _is_small(signature[:32]), "R is a point of small order")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        raise Refused("the signature does not hold") from None


def kid_of(public: bytes) -> str:
    """The RFC 7638 thumbprint."""
    return to_base64url(H(write({"crv": "Ed25519", "kty": "OKP", "x": to_base64url(public)})))


def read_jwk(value: Json) -> bytes:
    jwk = members(value, {"crv", "kty", "x"})
    need((jwk["crv"], jwk["kty"]) == ("Ed25519", "OKP"), "this is not an Ed25519 key")
    return check_public(bytes32(jwk["x"]))


def read_key(data: bytes) -> bytes:
    return read_jwk(read_sent(data))
