"""The record's bytes written a second time, with the standard library alone and nothing of the project's own.

It judges `engine.record` and `engine.chance`: the test vectors are made here, and the quick code must agree with
them. It is deliberately slow and plain. Ed25519 follows RFC 8032, section 5.1.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

# --- Ed25519 --------------------------------------------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int]
Triple = tuple[int, int, int]


def add(a: Point, b: Point) -> Point:
    """Addition on the twisted Edwards curve; complete, so it also doubles."""
    return affine(projective_add((*a, 1), (*b, 1)))


def projective_add(a: Triple, b: Triple) -> Triple:
    """The same with denominators carried along, since each inversion costs as much as 250 multiplications."""
    z = a[2] * b[2] % P
    xx, yy = a[0] * b[0] % P, a[1] * b[1] % P
    t = D * xx * yy % P
    cross = ((a[0] + a[1]) * (b[0] + b[1]) - xx - yy) % P
    f, g = (z * z - t) % P, (z * z + t) % P
    return z * f * cross % P, z * g * (yy + xx) % P, f * g % P


def affine(a: Triple) -> Point:
    inverse = pow(a[2], P - 2, P)
    return a[0] * inverse % P, a[1] * inverse % P


def times(n: int, a: Point) -> Point:
    out, double = (0, 1, 1), (*a, 1)
    while n:
        if n & 1:
            out = projective_add(out, double)
        double, n = projective_add(double, double), n >> 1
    return affine(out)


def packed(a: Point) -> bytes:
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


def unpacked(data: bytes) -> Point | None:
    """The point of a canonical encoding, or None."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if x * x % P != square or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else P - x), y


BASE = unpacked((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
assert BASE is not None
ORDER8 = unpacked(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))
assert ORDER8 is not None


def is_small(a: Point) -> bool:
    return times(8, a) == (0, 1)


def is_key(data: bytes) -> bool:
    """A canonical point of the prime-order subgroup, other than the identity."""
    point = unpacked(data)
    return point is not None and point != (0, 1) and times(L, point) == (0, 1)


def mixed(key: bytes) -> bytes:
    """The key plus a point of order 8: on the curve, canonical, and off the prime-order subgroup."""
    point = unpacked(key)
    assert point is not None
    assert ORDER8 is not None
    return packed(add(point, ORDER8))


def scalar(seed: bytes) -> tuple[int, bytes]:
    h = hashlib.sha512(seed).digest()
    return int.from_bytes(h[:32], "little") & (2**254 - 8) | 2**254, h[32:]


def public(seed: bytes) -> bytes:
    return packed(times(scalar(seed)[0], BASE))


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def sign(seed: bytes, message: bytes) -> bytes:
    a, prefix = scalar(seed)
    nonce = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % L
    r = packed(times(nonce, BASE))
    return r + ((nonce + challenge(r, public(seed), message) * a) % L).to_bytes(32, "little")


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """S < L, A canonical and not of small order, R not of small order, R compared as bytes, no cofactor."""
    a, r, s = unpacked(key), unpacked(signature[:32]), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L or a is None or r is None or is_small(a) or is_small(r):
        return False
    minus_a = (P - a[0]) % P, a[1]
    return packed(add(times(s, BASE), times(challenge(signature[:32], key, message), minus_a))) == signature[:32]


# --- bytes ----------------------------------------------------------------------------------------------------------


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def plain(value: Any) -> str:
    """The same with members in the given order, as a player may send it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def H(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def M(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def u64(n: int) -> bytes:
    return n.to_bytes(8, "big")


def label(x: str) -> bytes:
    return b"sealedmove/1/" + x.encode("ascii") + b"\x00"


def K(secret: bytes, x: str, a: int, b: int) -> bytes:
    return M(secret, label(x) + u64(a) + u64(b))


def leaf(line: bytes) -> bytes:
    return H(b"\x00" + line)


# --- chance ---------------------------------------------------------------------------------------------------------


def chain(secret: bytes, total: int) -> list[bytes]:
    """L(0) .. L(total)."""
    keys = [K(secret, "chain", total, 0)]
    for d in range(total, 0, -1):
        keys.append(H(label("link") + u64(d) + keys[-1]))
    return keys[::-1]


def entropy(created_hash: bytes, seats: list[tuple[bytes, bytes]]) -> bytes:
    return H(label("entropy") + created_hash + b"".join(sorted(kid + nonce for kid, nonce in seats)))


def stream(key: bytes, mixed: bytes, d: int, count: int) -> bytes:
    blocks = [M(key, label("draw") + mixed + u64(d) + c.to_bytes(4, "big")) for c in range(-(-count // 32))]
    return b"".join(blocks)[:count]


def draw(key: bytes, mixed: bytes, d: int, n: int) -> tuple[int, int]:
    """The result and the number of bytes taken from the stream."""
    if not 1 <= n <= 2**32:
        raise ValueError("a draw is from 1 to 2^32")
    width = 0
    while 256**width < n:
        width += 1
    taken = 0
    while width:
        taken += width
        x = int.from_bytes(stream(key, mixed, d, taken)[-width:], "big")
        if x < 256**width - 256**width % n:
            return x % n, taken
    return 0, 0


# --- keys, signatures, seals, notes ---------------------------------------------------------------------------------


def jwk(key: bytes) -> dict[str, str]:
    return {"crv": "Ed25519", "kty": "OKP", "x": b64(key)}


def thumbprint(key: bytes) -> bytes:
    return H(canonical(jwk(key)))


def jws(seed: bytes, payload: Any, **header: Any) -> str:
    """A compact JWS; header members given here replace or (None) remove the usual ones; str payloads go as they are."""
    head: dict[str, Any] = {"alg": "Ed25519", "kid": b64(thumbprint(public(seed))), "typ": "sealedmove+jws"} | header
    head = {name: value for name, value in head.items() if value is not None}
    return jws_text(
        seed, canonical(head).decode(), payload if isinstance(payload, str) else canonical(payload).decode()
    )


def jws_text(seed: bytes, header: str, payload: str) -> str:
    first = b64(header.encode()) + "." + b64(payload.encode())
    return first + "." + b64(sign(seed, first.encode()))


SUCCESSION = "sealedmove-server+jws"


def succession(server: str, seed: bytes, new: bytes) -> str:
    """The JWS by which a server's key names the one after it."""
    return jws(seed, {"v": 1, "aud": server, "act": "succeed", "key": jwk(new)}, typ=SUCCESSION)


def sealed(text: str) -> str:
    return b64(H(label("move") + text.encode("ascii")))


def seal(secret: bytes, seq: int, i: int, events: list[Any]) -> str:
    return b64(H(label("seal") + K(secret, "seal", seq, i) + canonical(events)))


def state(secret: bytes | None, seq: int, value: Any) -> str:
    salt = bytes(32) if secret is None else K(secret, "state", seq, 0)
    return b64(H(label("state") + salt + canonical(value)))


def note(server: str, game: str, size: int, head: bytes, seed: bytes, extensions: str = "") -> str:
    text = f"{server}/game/{game}\n{size}\n{base64.b64encode(head).decode()}\n{extensions}"
    key = public(seed)
    signed = H(server.encode() + b"\n\x01" + key)[:4] + sign(seed, text.encode())
    return f"{text}\n\u2014 {server} {base64.b64encode(signed).decode()}\n"


def bundle(lines: list[bytes], signed: str, openings: list[Any], data: list[tuple[str, bytes]]) -> bytes:
    rest = [canonical(o) for o in openings] + [canonical({"data": b64(text), "name": name}) for name, text in data]
    head = b"sealedmove bundle 1\n" + b"".join(line + b"\n" for line in lines)
    return head + b"\n" + signed.encode() + b"\n" + b"".join(line + b"\n" for line in rest)


# --- reading ----------------------------------------------------------------------------------------------------------


def is_line(data: bytes) -> bool:
    """True if this is the canonical line of a value of the model."""
    try:
        value = json.loads(data.decode("ascii"), parse_float=float, parse_int=_short)
        return len(data) <= 2**20 and is_value(value, 32) and canonical(value) == data
    except (ValueError, RecursionError):
        return False


def is_sent(data: bytes) -> bool:
    """True if this is an object as a player may send it: canonical, except that members may be in any order."""
    try:
        value = json.loads(data.decode("ascii"), parse_float=float, parse_int=_short)
        kept = plain(value).encode() == data
        return len(data) <= 2**14 and isinstance(value, dict) and is_value(value, 32) and kept
    except (ValueError, RecursionError):
        return False


def _short(text: str) -> int:
    return int(text[:20])


def is_value(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return all(" " <= letter <= "~" for letter in value)
    if isinstance(value, list | dict):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return depth > 0 and all(is_value(part, depth - 1) for part in parts)
    return value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**53)


def is_base64url(text: str, length: int) -> bool:
    try:
        data = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError:
        return False
    return len(data) == length and b64(data) == text


def is_jwk(value: Any) -> bool:
    if not isinstance(value, dict) or sorted(value) != ["crv", "kty", "x"]:
        return False
    if (value["kty"], value["crv"]) != ("OKP", "Ed25519") or not is_base64url(value["x"], 32):
        return False
    return is_key(base64.urlsafe_b64decode(value["x"] + "="))
