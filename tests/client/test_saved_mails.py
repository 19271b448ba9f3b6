"""Checkpoints in mails as mail programs save, forward and quote them."""

from email.message import EmailMessage
from email.policy import SMTP

import pytest

from client.saved_mails import notes_of
from engine.record.signed import keys, note

SEED = bytes(range(32))
GAME = "0193f3c2-0000-7000-8000-000000000001"
NOTE = note.write("127.0.0.1:8000", GAME, 6, b"\x07" * 32, SEED)
ENCODINGS = ("quoted-printable", "base64", "8bit")


def found(data):
    notes = notes_of(data)
    for one in notes:
        note.verify(note.read(one), keys.public_of(SEED))
    return notes


def mail(text="", html="", cte="quoted-printable", **headers):
    made = EmailMessage()
    made["From"], made["Subject"] = "games@games.example", "Your move in Pig"
    if text:
        made.set_content(text, cte=cte, **headers)
    if html and text:
        made.add_alternative(html, subtype="html", cte=cte)
    elif html:
        made.set_content(html, subtype="html", cte=cte)
    return made


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("policy", [None, SMTP], ids=["LF", "CRLF"])
def test_a_note_in_a_mail_is_found(encoding, policy):
    """In any encoding, with the line ends of the wire."""
    assert found(mail(f"Ada has moved.\n\n{NOTE}\nbye\n", cte=encoding).as_bytes(policy=policy)) == [NOTE]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "html",
    [
        "<html><head><title>x</title><style>p {{}}</style></head><body><p>Ada</p><pre>{note}</pre></body></html>",
        "<p>Ada<br>{lines}<br></p>",
        "{paragraphs}",
        "<table><tr><td>{lines}</td></tr></table>",
    ],
)
def test_a_note_in_an_html_mail_is_found(encoding, html):
    """Preformatted, with <br>, a paragraph a line, in a cell; the dash as a character or an entity."""
    lines = NOTE.rstrip("\n").replace("\u2014", "&mdash;").split("\n")
    paragraphs = "".join(f"<p class=MsoNormal>{line or '&nbsp;'}</p>\r\n" for line in lines)
    page = html.format(note=NOTE, lines="<br>\n".join(lines), paragraphs=paragraphs)
    assert found(mail(html=page, cte=encoding).as_bytes()) == [NOTE]


def test_both_kinds_of_text_hold_one_note():
    """The mail has everything twice."""
    assert found(mail(NOTE, f"<pre>{NOTE}</pre>").as_bytes()) == [NOTE]


def test_a_forwarded_mail_is_read():
    """As an attachment, which may contain another."""
    outer = mail("Look at this.")
    middle = mail("And this.")
    middle.add_attachment(mail(NOTE, cte="base64"))
    outer.add_attachment(middle)
    assert found(outer.as_bytes()) == [NOTE]


def test_a_quoted_mail_is_read():
    """Forwarded as text, as usual: with a margin, and the signature wrapped at 72."""
    quoted = "".join(f"> {line}\n" for line in NOTE.replace("8000 ", "8000\n").splitlines())
    assert found(mail(f"Is this yours?\n\nOn Monday Ada wrote:\n{quoted}").as_bytes()) == [NOTE]


def test_a_mailbox_is_read():
    """All its mails, in any encoding."""
    older = note.write("127.0.0.1:8000", GAME, 5, b"\x08" * 32, SEED)
    start = b"From games@games.example Sat Nov 21 10:00:00 2026\n"
    box = b"\n".join(start + mail(one, cte=cte).as_bytes() for one, cte in ((older, "base64"), (NOTE, "8bit")))
    assert found(box) == [older, NOTE]


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_note_in_a_text_file_is_found(code):
    """Its first line looks like a header; editors of Windows write a byte order mark before it."""
    assert found(NOTE.encode(code)) == [NOTE]
    assert found(NOTE.replace("\n", "\r\n").encode(code)) == [NOTE]


def test_a_mail_pasted_into_a_file_is_read():
    """With its headers, whose encoding is ignored."""
    assert found(f"From: games@games.example\nSubject: Your move\n\n{NOTE}".encode()) == [NOTE]


@pytest.mark.parametrize("charset", ["windows-1252", "no-such-code", "utf-8"])
def test_the_charset_of_the_mail_is_used(charset):
    """An unknown one is read as UTF-8."""
    data = NOTE.encode("windows-1252" if charset == "windows-1252" else "utf-8")
    head = f"From: a@b.example\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    assert found(head.encode() + data) == [NOTE]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"From: x\n\n",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\n",
        b"Content-Type: text/html\n\n<pre",
        b"Content-Type: text/plain; charset=\xff\nContent-Transfer-Encoding: base64\n\n====",
        b"Content-Type: message/rfc822\n\n" * 3000,
        b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(2000)),
        bytes(range(256)) * 100,
    ],
)
def test_any_input_is_read_without_a_crash(data):
    """Broken, endlessly nested, binary: no checkpoint."""
    assert found(data) == []
