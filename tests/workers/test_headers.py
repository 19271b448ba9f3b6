"""Headers as sent: ids and URLs whole, words encoded so that every reader decodes the same text."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import compat32

import pytest

from tests.workers.letters import ADA, HOUSE, SAMPLES, your_turn
from workers.mail import headers
from workers.mail.compose import compose
from workers.mail.facts import Reader
from workers.mail.headers import IDS, POLICY

WORDED = ("Subject", "From", "To")
SYLLABLES = ("Zoë", "the", "größte", "Tikal", "Ω", "山", "a", "naïve", "(no)", "x,y", "🎲", "é" * 20, "word" * 8)


def wire(mail) -> list[tuple[str, str]]:
    """Each header with its folds."""
    head = mail.as_bytes().partition(b"\r\n\r\n")[0].decode("ascii")
    return [tuple(line.split(": ", 1)) for line in re.split(r"\r\n(?![ \t])", head)]


def plainly(mail, name: str) -> str:
    """The text decoded by RFC 2047; the library's policies put a space between two encoded words."""
    folded = message_from_bytes(mail.as_bytes(), policy=compat32)[name]
    return str(make_header(decode_header(re.sub(r"\r\n(?=[ \t])", "", folded))))


@pytest.fixture(params=SAMPLES)
def mail(request):
    return compose(HOUSE, ADA, SAMPLES[request.param]())


def test_no_header_is_repeated(mail):
    """With two, one could be signed and the other read."""
    names = [name.lower() for name, _ in wire(mail)]
    assert len(names) == len(set(names))


def test_no_id_and_no_url_is_encoded_or_broken(mail):
    """With a host of sixty letters and real tokens; each is whole on one line."""
    for name, value in wire(mail):
        if name.lower() in IDS:
            assert "=?" not in value
            assert value.count("<") == len(re.findall(r"<[^<>\s]+>", value))


def test_only_ids_and_urls_make_long_lines(mail):
    """78 letters a line; only words are encoded."""
    for name, value in wire(mail):
        assert name in WORDED or "=?" not in value
        for line in f"{name}: {value}".split("\r\n"):
            assert len(line) <= 78 or re.search(r"<\S+>$", line)


def test_one_click_has_both_its_headers_or_none(mail):
    """RFC 8058: the URL is https and the only one."""
    heads = dict(wire(mail))
    assert ("List-Unsubscribe" in heads) == ("List-Unsubscribe-Post" in heads)
    assert re.fullmatch(r"<https://[\w.-]+/[umi]/[\w-]+>", heads.get("List-Unsubscribe", "<https://a/u/b>"))


def test_a_subject_survives_encoding():
    """Three hundred of them: no space is lost or added, and no encoded word is longer than 75."""
    chance = random.Random(5)
    for _ in range(300):
        said = " ".join(chance.choices(SYLLABLES, k=chance.randint(1, 25)))
        mail = EmailMessage(policy=POLICY)
        mail["Subject"] = said
        assert plainly(mail, "Subject") == said
        assert all(len(word) <= 75 for word in mail.as_bytes().decode().split())


def test_a_name_survives_encoding():
    """With quotes, commas, any script; the address stays whole."""
    chance = random.Random(6)
    for _ in range(200):
        said = headers.clean(" ".join(chance.choices((*SYLLABLES, '"Bob"', "\\", "<a@b>"), k=chance.randint(1, 9))))
        mail = EmailMessage(policy=POLICY)
        mail["To"] = headers.mailbox(said, "ada@example.org")
        name, _, box = plainly(mail, "To").rpartition(" <")
        quoted = re.fullmatch(r'"(.*)"', name) if said.isascii() else None
        assert (re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else name) == said
        assert box == "ada@example.org>"


@pytest.mark.parametrize("name", ["=?utf-8?q?Eve=0D=0ABcc:_all@example.org?=", "=?utf-8?b?RXZl?="])
def test_a_name_that_looks_encoded_is_not_decoded(name):
    """Otherwise it could contain characters that are refused."""
    facts = your_turn()
    mail = compose(HOUSE, Reader(name, "eve@example.org"), replace(facts, place=replace(facts.place, title=name)))
    assert "Bcc" not in dict(wire(mail))
    assert plainly(mail, "To") == f"{name} <eve@example.org>"
    assert plainly(mail, "Subject") == f"[{name} #3f2a] Your game"
    assert dict(wire(mail))["List-Id"].startswith("pig\r\n <")
