"""Sections 2 and 3: values, canonical lines, what players send, base64url, and the hashes over them."""

import base64
import hashlib
import hmac
import json
import re

LINE, SENT, DEPTH, LARGEST = 2**20, 16_384, 32, 2**53 - 1
PRINTABLE = re.compile(r"[ -~]*")
ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


class Refused(Exception):
    """The bytes are not what the specification says they must be."""


class Newer(Refused):
    """The bytes are of a later version: they cannot be judged."""


def need(truth, why):
    if not truth:
        raise Refused(why)


def quote(text):
    need(PRINTABLE.fullmatch(text), "a string with more than printable ASCII")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write(value, in_order=True):
    """The canonical text of a value; with `in_order` false the members stay as they stand."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if type(value) is int:
        need(-LARGEST <= value <= LARGEST, "an integer beyond 2^53-1")
        return str(value)
    if type(value) is str:
        return quote(value)
    if type(value) is list:
        return "[" + ",".join(write(each, in_order) for each in value) + "]"
    need(type(value) is dict, "a value outside the model")
    names = sorted(value) if in_order else value
    return "{" + ",".join(quote(name) + ":" + write(value[name], in_order) for name in names) + "}"


def depth_of(text):
    """How deep brackets nest, strings left out; nothing recurses."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*+"?', "", text)
    depth = deepest = 0
    for mark in re.findall(r"[\[\]{}]", bare):
        depth += 1 if mark in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def whole(digits):
    need(len(digits) <= 17, "a number of too many digits")
    return int(digits)


def never(text):
    raise Refused(f"not a number of the model: {text[:20]}")


def read(raw, in_order=True, limit=LINE):
    """The value of a line (or, `in_order` false, of what a player sent); refused unless writing it gives the bytes."""
    need(len(raw) <= limit, "too long")
    try:
        text = raw.decode("ascii")
    except UnicodeDecodeError:
        raise Refused("not ASCII") from None
    need(depth_of(text) <= DEPTH, "too deep")
    try:
        value = json.loads(text, parse_int=whole, parse_float=never, parse_constant=never)
    except ValueError:
        raise Refused("not JSON") from None
    need(write(value, in_order) == text, "not in canonical form")
    return value


def read_sent(raw):
    """An object as a player sends it (3.3)."""
    value = read(raw, in_order=False, limit=SENT)
    need(type(value) is dict, "not an object")
    return value


def unbase(text, length=None):
    need(type(text) is str and ALPHABET.fullmatch(text) and len(text) % 4 != 1, "not base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    need(tobase(data) == text, "base64url with spare bits")
    need(length is None or len(data) == length, f"not {length} bytes")
    return data


def tobase(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def exactly(value, *names):
    """Whether the value is an object with exactly these members."""
    need(type(value) is dict, "not an object")
    need(set(value) == set(names), f"members are not exactly {', '.join(sorted(names))}")


def H(data):
    return hashlib.sha256(data).digest()


def M(key, data):
    return hmac.digest(key, data, "sha256")


def D(label):
    return b"sealedmove/1/" + label.encode("ascii") + b"\0"


def u32(number):
    return number.to_bytes(4, "big")


def u64(number):
    return number.to_bytes(8, "big")


def K(secret, label, a, b):
    return M(secret, D(label) + u64(a) + u64(b))


def leaf(line):
    """The hash of an entry."""
    return H(b"\0" + line)
