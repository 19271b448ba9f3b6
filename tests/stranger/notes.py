"""Sections 10 and 16: notes, notes as mails carry them, two notes compared, and the document of a server's keys."""

import base64
import json
import re

from tests.stranger.acts import succession
from tests.stranger.entries import game_id, instant, server_name
from tests.stranger.keys import kid_of, public_of, verify
from tests.stranger.lines import H, Refused, exactly, need, unbase

LONGEST, SIGNATURES, KEYS = 16_384, 16, 1024
NUMBER = re.compile(r"[1-9][0-9]{0,15}")
SIGNATURE = re.compile("\u2014 ([^\\s+]+) ([A-Za-z0-9+/]+={0,2})")
QUOTED = re.compile(r"[ \t>|]*")


def unstandard(text):
    """The bytes of standard base64 with padding, in its only spelling."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused("not base64") from None
    need(base64.b64encode(data).decode("ascii") == text, "base64 in another spelling")
    return data


class Note:
    """What a note says: `server`, `game`, `number` of entries, `head`; `signatures` as pairs of name and bytes."""

    def __init__(self, text):
        need(len(text) <= LONGEST, "a note too long")
        self.text = text
        lines = text.split("\n")
        need(len(lines) >= 6 and lines[3] == "" and lines[-1] == "", "not laid out as a note")
        self.signed = "".join(line + "\n" for line in lines[:3]).encode("utf-8")
        self.server, slash, self.game = lines[0].partition("/game/")
        need(slash, "names no game")
        server_name(self.server)
        game_id(self.game)
        need(NUMBER.fullmatch(lines[1]), "no number of entries")
        self.number = int(lines[1])
        self.head = unstandard(lines[2])
        need(len(self.head) == 32, "no hash")
        self.signatures = [signature_line(line) for line in lines[4:-1]]
        need(len(self.signatures) <= SIGNATURES, "too many signatures")

    def verify(self, public):
        """Refuses a note that the server with this key has not signed."""
        key_id = H(self.server.encode("ascii") + b"\n\1" + public)[:4]
        own = [data[4:] for name, data in self.signatures if name == self.server and data[:4] == key_id]
        need(own, "the server has not signed it")
        for signature in own:
            verify(public, self.signed, signature)

    def says(self):
        return self.server, self.game, self.number, self.head


def signature_line(line):
    found = SIGNATURE.fullmatch(line)
    need(found, "not a signature line")
    return found[1], unstandard(found[2])


def is_signature(line):
    try:
        signature_line(line)
    except Refused:
        return False
    return True


def read_note(raw):
    try:
        return Note(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise Refused("a note that is no text") from None


def unquoted(text):
    """The lines of a mail without what mail programs put before and behind them."""
    lines = re.split("\r\n|\r|\n", text)
    return [line[QUOTED.match(line).end() :].rstrip(" \t") for line in lines]


def notes_in(text):
    """Every note in the text of a mail, in the order in which they stand."""
    lines, found, at = unquoted(text), [], 0
    while at < len(lines):
        end = at + 4
        while end < len(lines) and is_signature(lines[end]):
            end += 1
        try:
            found.append(Note("".join(line + "\n" for line in lines[at:end])))
            at = end
        except Refused:
            at += 1
    return found


def two_histories(one, other):
    """Whether two good notes prove that their server has shown two histories of a game."""
    return one.says()[:3] == other.says()[:3] and one.head != other.head


def a_time(value):
    if value is not None:
        instant(value)


def one_key(key):
    """The public key of one of `keys`, its form checked."""
    exactly(key, "crv", "kty", "x", "kid", "from", "until", "signed")
    public = public_of({name: key[name] for name in ("crv", "kty", "x")})
    need(unbase(key["kid"], 32) == kid_of(public), "the kid of another key")
    a_time(key["from"])
    a_time(key["until"])
    return public


def pairs_once(pairs):
    need(len({name for name, _ in pairs}) == len(pairs), "a member twice")
    return dict(pairs)


def server_keys(raw, known=None):
    """(the server's name, its public keys) of the document in section 16; `known` is what a client knew of both."""
    try:
        document = json.loads(raw, object_pairs_hook=pairs_once)
    except (ValueError, RecursionError):
        raise Refused("not JSON") from None
    need(type(document) is dict and {"server", "keys"} <= set(document), "no server or no keys")
    server_name(document["server"])
    need(type(document["keys"]) is list and 1 <= len(document["keys"]) <= KEYS, "not 1 to 1,024 keys")
    publics = []
    for key in document["keys"]:
        public = one_key(key)
        if not publics:
            need(key["signed"] is None, "the first key is signed by nobody")
        else:
            need(succession(key["signed"], publics[-1], document["server"]) == public, "the succession of another key")
        need(public not in publics, "a key twice")
        publics.append(public)
    if known is not None:
        need(known == (document["server"], publics[: len(known[1])]), "not the keys that were known, and more")
    return document["server"], publics
