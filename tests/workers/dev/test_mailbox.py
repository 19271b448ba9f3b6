"""The development mailbox stores mails as sent, and shows them without running any of their content."""

from email.message import EmailMessage

import dkim
import pytest

from workers.dev import mailstore
from workers.dev.mailpage import create_app
from workers.dev.mailstore import Store
from workers.dev.signer import PageSigner
from workers.replies.dns import LOCAL, with_file


def letter(**headers):
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "games@localhost", "ann@example.org", "<1@localhost>"
    for name, value in {"Subject": "Your turn", **headers}.items():
        message[name.replace("_", "-")] = value
    message.set_content("Sign in: http://127.0.0.1:8000/in/abc <b>\n")
    message.add_alternative('<script>x()</script><img src="cid:board"><a href="http://a/">in</a>', subtype="html")
    message.get_payload()[1].add_related(b"\x89PNG", "image", "png", cid="<board>")
    return message.as_bytes()


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "mail")


@pytest.fixture
def page(store, smtp_server):
    return create_app(store, smtp_server.url).test_client()


def test_the_source_is_the_mail_as_sent(store, page):
    """Below the lines that a delivery adds."""
    sent = letter()
    name = store.add("bounce@localhost", ["ann@example.org"], sent)
    assert page.get(f"/mail/{name}.eml").data == (
        b"Return-Path: <bounce@localhost>\r\nDelivered-To: ann@example.org\r\n" + sent
    )


def test_tools_read_the_mails_of_one_recipient(store, page):
    """The JSON list has the newest first, of one recipient, later than a given mail."""
    first = store.add("", ["ann@example.org"], letter())
    store.add("", ["bob@example.org"], letter())
    last = store.add("", ["ann@example.org"], letter(X_Again="1"))
    listed = page.get("/mail.json?to=ann@example.org").json
    assert [mail["id"] for mail in listed] == [last, first]
    assert listed[0]["text"].startswith("Sign in: http://127.0.0.1:8000/in/abc")
    assert [mail["id"] for mail in page.get(f"/mail.json?to=ann@example.org&after={first}").json] == [last]


def test_polling_reads_only_the_recipients_mails(store, page, monkeypatch):
    """However many mails others have, a poll costs the same."""
    for name in ("bob", "bob", "ann", "Bob"):
        store.add("", [f"{name}@example.org"], letter())
    store.add("", ["cy@example.org", "ann@example.org"], letter(X_Again="1"))
    read, message = [], mailstore.message_from_bytes
    monkeypatch.setattr(
        mailstore, "message_from_bytes", lambda *given, **more: read.append(0) or message(*given, **more)
    )
    listed = page.get("/mail.json?to=ann@example.org").json
    assert [mail["delivered_to"] for mail in listed] == [["cy@example.org", "ann@example.org"], ["ann@example.org"]]
    few = len(read)
    store.add("", ["bob@example.org"], letter())
    assert page.get("/mail.json?to=ann@example.org").json == listed
    assert len(read) == 2 * few


def test_html_is_shown_without_running_scripts(store, page):
    """In a sandboxed frame, under a policy without scripts, its pictures as data."""
    name = store.add("", ["ann@example.org"], letter())
    assert f'src="/mail/{name}.html"' in page.get(f"/mail/{name}").text
    assert "<iframe" in page.get(f"/mail/{name}").text
    answer = page.get(f"/mail/{name}.html")
    assert '<img src="data:image/png;base64,iVBORw==">' in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox ")
    assert "allow-scripts" not in policy
    assert "default-src 'none'" in policy


def test_text_is_shown_as_text_with_links(store, page):
    """The plain part is escaped, and its addresses can be followed."""
    name = store.add("", ["ann@example.org"], letter())
    text = page.get(f"/mail/{name}").text
    assert '<a href="http://127.0.0.1:8000/in/abc" rel="noreferrer">' in text
    assert "&lt;b&gt;" in text


def test_an_answer_goes_to_the_reply_address(store, page, smtp_server):
    """The form sends the reply of a mail program: to Reply-To, in the thread, above the quoted text."""
    name = store.add("", ["ann@example.org"], letter(Reply_To="turn+abc@localhost"))
    assert page.post(f"/mail/{name}/answer", data={"text": "roll"}).status_code == 303
    sent = smtp_server.messages[0]
    assert (sent["From"], sent["To"], sent["Subject"]) == ("ann@example.org", "turn+abc@localhost", "Re: Your turn")
    assert sent["In-Reply-To"] == "<1@localhost>"
    assert sent.get_content().replace("\r\n", "\n").startswith("roll\n\ngames@localhost wrote:\n> Sign in")


def test_a_mail_without_reply_to_has_no_form(store, page, smtp_server):
    """Posting one is refused."""
    name = store.add("", ["ann@example.org"], letter())
    assert "<form" not in page.get(f"/mail/{name}").text
    assert page.post(f"/mail/{name}/answer", data={"text": "roll"}).status_code == 409
    assert smtp_server.messages == []


@pytest.mark.parametrize("name", ["1", "..", "..%2f..%2fmaster.key", "1Q2Q3", "%2e%2e"])
def test_an_unknown_name_is_not_found(page, name):
    """A name that belongs to no caught mail is 404, whatever it looks like."""
    assert page.get(f"/mail/{name}").status_code == 404


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1.elsewhere.example:8001", "192.168.1.7:8001", ""])
def test_an_unknown_host_name_sees_no_mail(store, page, host):
    """A foreign name that points here would give its pages the mails, with their sign-in links."""
    name = store.add("", ["ann@example.org"], letter())
    for path in ("/", "/mail.json", f"/mail/{name}", f"/mail/{name}.eml", f"/mail/{name}.html"):
        answer = page.get(path, headers={"Host": host})
        assert answer.status_code == 421
        assert "Sign in" not in answer.text
    assert page.get("/mail.json", headers={"Host": "localhost:8001"}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_another_origin_cannot_send_an_answer(store, page, smtp_server, site):
    """Only a form of the page itself is accepted."""
    name = store.add("", ["ann@example.org"], letter(Reply_To="move@localhost"))
    sent = page.post(f"/mail/{name}/answer", data={"text": "resign"}, headers={"Sec-Fetch-Site": site})
    assert (sent.status_code, smtp_server.messages) == (403, [])
    own = page.post(f"/mail/{name}/answer", data={"text": "pass"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert (own.status_code, len(smtp_server.messages)) == (303, 1)


def test_an_answer_is_signed_with_the_pages_own_key(tmp_path):
    """As any mail must be; the server on this machine finds the key's record."""
    signer = PageSigner(tmp_path)
    answer = EmailMessage()
    answer["From"], answer["To"], answer["Date"] = "ada@localhost", "move@localhost", "Sat, 21 Nov 2026 10:00:00 +0000"
    answer["Subject"], answer["Message-ID"] = "Re: x", "<1@localhost>"
    answer.set_content("roll")
    raw = PageSigner(tmp_path).signed(answer)
    assert dkim.verify(raw, dnsfunc=lambda *_, **__: with_file(tmp_path / "dkim.txt")(LOCAL + "localhost."))
    assert signer.key == PageSigner(tmp_path).key
    assert (tmp_path / "dkim.key").stat().st_mode & 0o77 == 0
