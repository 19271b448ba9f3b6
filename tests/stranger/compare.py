"""Two holdings of a game compared (sections 10 and 12): does one continue the other, or show another history?"""

import base64

from tests.stranger.lines import leaf, read
from tests.stranger.notes import read_note


class Claim:
    """What a line or a note says: the hash of the last of `number` entries."""

    def __init__(self, number, head, text):
        self.number, self.head, self.text = number, head, text


def of_note(text):
    note = read_note(text.encode("utf-8"))
    return Claim(note.number, base64.b64encode(note.head), text)


def claims(holding):
    """The lines' first, then the notes'."""
    lines = [
        Claim(number, base64.b64encode(leaf(line.encode("ascii"))), line)
        for number, line in enumerate(holding["lines"], 1)
    ]
    return lines + [of_note(note) for note in holding["notes"]]


def game_of(holding):
    if holding["lines"]:
        created = read(holding["lines"][0].encode("ascii"))
        return created["server"], created["game"]
    return read_note(holding["notes"][0].encode("utf-8")).says()[:2]


def contradiction(them, others):
    """The earliest pair, one of each, that names two hashes for one number of entries."""
    pairs = [(one, other) for one in them for other in others if one.number == other.number and one.head != other.head]
    return min(pairs, key=lambda pair: pair[0].number, default=None)


def compare(first, second):
    """{"relation", "at", "proof"}: how `second` stands to `first`; each has `lines` and `notes`."""
    if game_of(first) != game_of(second):
        return said("other-game")
    one, other = claims(first), claims(second)
    fork = contradiction(one, one) or contradiction(other, other) or contradiction(one, other)
    if fork:
        return said("fork", fork[0].number, [each.text for each in fork])
    reach, further = (max(claim.number for claim in them) for them in (one, other))
    if reach == further:
        return said("same")
    short, long = (reach, other) if reach < further else (further, one)
    if short not in {claim.number for claim in long}:
        return said("unknown")
    return said("continues" if reach < further else "continued")


def said(relation, at=None, proof=None):
    return {"relation": relation, "at": at, "proof": proof}
