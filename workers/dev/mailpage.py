"""The page of the caught mails: a list, a mail in all its forms, and a form to answer it.

Mails are untrusted: their HTML is shown in a sandboxed frame under a policy that loads and runs nothing, with the
pictures as data URLs.
"""

import base64
import re
import smtplib
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from urllib.parse import urlsplit

from flask import Flask, Response, abort, jsonify, redirect, render_template, request, url_for
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as Answer

from workers.dev.mailstore import CaughtMail, Store

PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'"
)
MAIL_POLICY = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    " frame-ancestors 'self'"
)
LINK = re.compile(r"https?://[^\s<>\"]+")
LISTED = 200
Sign = Callable[[EmailMessage], bytes]
HERE = ("127.0.0.1", "localhost", "::1")  # no resolver outside of this machine serves these names


def create_app(store: Store, inbound: str = "", sign: Sign = EmailMessage.as_bytes) -> Flask:
    """The page over `store`; answers go, signed, to the SMTP server `inbound` (a URL), if there is one."""
    app = Flask(__name__)
    app.jinja_env.filters["links"] = links
    app.before_request(is_for_us)
    app.after_request(guard)

    @app.get("/")
    def index() -> str:
        return render_template("index.html", mails=[summary(mail) for mail in few(store, request.args.get("to", ""))])

    @app.get("/mail.json")
    def listing() -> Response:
        return jsonify(
            [summary(mail) for mail in few(store, request.args.get("to", ""), request.args.get("after", ""))]
        )

    @app.get("/mail/<name>")
    def show(name: str) -> str:
        mail = found(store, name)
        return render_template("mail.html", mail=mail, about=summary(mail), inbound=inbound)

    @app.get("/mail/<name>.eml")
    def source(name: str) -> Response:
        return Response(found(store, name).raw, content_type="message/rfc822")

    @app.get("/mail/<name>.html")
    def html(name: str) -> Response:
        text = with_pictures(found(store, name))
        return Response(text, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": MAIL_POLICY})

    @app.post("/mail/<name>/answer")
    def answer(name: str) -> Answer:
        mail = found(store, name)
        if not inbound or "Reply-To" not in mail.message:
            abort(409, "this mail cannot be answered")
        answer = reply(mail, request.form.get("text", ""))
        send(sign(answer), str(answer["From"]), answer["To"].addresses[0].addr_spec, inbound)
        return redirect(url_for("show", name=name, answered=1), 303)

    return app


def is_for_us() -> None:
    """Under another host name an attacker's page might read it; and no page of another origin can answer a mail."""
    if urlsplit(f"//{request.host}").hostname not in HERE:
        abort(421, f"this page is at http://{HERE[0]}")
    if request.method == "POST" and request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        abort(403, "the request did not come from this page")


def few(store: Store, to: str, after: str = "") -> list[CaughtMail]:
    """The newest mails; if given, only those to one recipient (in any case) and after the id `after`."""
    wanted = to.casefold()
    kept: list[CaughtMail] = []
    for mail in store.newest_first():
        if mail.id <= after or len(kept) == LISTED:
            break
        if not to or wanted in map(str.casefold, mail.recipients):
            kept.append(mail)
    return kept


def found(store: Store, name: str) -> CaughtMail:
    mail = store.get(name)
    return abort(404) if mail is None else mail


def summary(mail: CaughtMail) -> dict[str, object]:
    message = mail.message
    names = ("From", "To", "Subject", "Date", "Message-ID", "Reply-To")
    heads = {name.lower().replace("-", "_"): str(message.get(name, "")) for name in names}
    return {
        **heads,
        "id": mail.id,
        "delivered_to": mail.recipients,
        "text": mail.body("plain"),
        "eml": f"/mail/{mail.id}.eml",
    }


def with_pictures(mail: CaughtMail) -> str:
    """Its HTML part, with `cid:` pictures as data and links that open beside the frame."""

    def data(match: re.Match[str]) -> str:
        part = mail.part(match[1])
        return match[0] if part is None else f"data:{part[0]};base64,{base64.b64encode(part[1]).decode()}"

    html = mail.body("html")
    return abort(404) if html is None else '<base target="_blank">' + re.sub(r"cid:([^\"'\s>)]+)", data, html)


def links(text: str) -> Markup:
    """Plain text with its URLs as links."""
    return Markup("").join(  # each piece is escaped below
        Markup('<a href="{0}" rel="noreferrer">{0}</a>').format(piece) if LINK.fullmatch(piece) else escape(piece)
        for piece in re.split(f"({LINK.pattern})", text)
    )


def reply(mail: CaughtMail, text: str) -> EmailMessage:
    """The mail that a mail program would send: the answer above the quoted text, in the same thread."""
    original, message = mail.message, EmailMessage()
    message["From"] = mail.recipients[0]
    message["To"] = str(original["Reply-To"])
    message["Subject"] = "Re: " + str(original.get("Subject", ""))
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = make_msgid(domain="localhost")
    message["In-Reply-To"] = message["References"] = str(original.get("Message-ID", ""))
    quoted = "\n".join("> " + line for line in (mail.body("plain") or "").splitlines())
    message.set_content(f"{text}\n\n{original.get('From', '')} wrote:\n{quoted}\n")
    return message


def send(raw: bytes, sender: str, to: str, inbound: str) -> None:
    url = urlsplit(inbound)
    with smtplib.SMTP(url.hostname or "127.0.0.1", url.port or 25, timeout=10) as smtp:
        smtp.sendmail(sender, [to], raw)


def guard(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", PAGE_POLICY)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
