"""A whole game by mail: one player answers mails, the other signs; all mail goes through real SMTP, both ways."""

from __future__ import annotations

import smtplib
from collections import Counter

import pytest
import sqlalchemy as sa

from engine.kit import Step, active, format_steps
from server.db.models import Seat
from tests.workers.replies.post import Post, door, plain

MOST = 400
WAYS = (
    "{move}\n",
    "{move}\n\n-- \nAda\n",
    "{move}\n\nOn Sat, 21 Nov 2026 at 11:00, Sealed Move <games@localhost> wrote:\n\n{quote}\n",
    "On Sat, 21 Nov 2026 at 11:00, Sealed Move <games@localhost> wrote:\n\n{quote}\n\n{move}\n",
    "{move}\n\nSent from my iPhone\n\n> On 21 Nov 2026, at 11:00, Sealed Move wrote:\n>\n{quote}\n",
    "{move}\n\n-----Original Message-----\nFrom: Sealed Move <games@localhost>\nSent: Saturday\n\n{whole}\n",
)


@pytest.mark.parametrize("kind", ["livingstone", "tikal"])
def test_a_whole_game_by_mail(post: Post, monkeypatch, kind):
    """Every move of one seat is an answer, in the ways of several programs; the log says which ones nobody signed."""
    monkeypatch.setattr(
        "workers.mail.picture.png", lambda _: None
    )  # drawn elsewhere, and most of the time it would take
    game = post.game(kind, unsigned=True)
    _mute(post, game, 1)
    with door(post) as port, smtplib.SMTP("127.0.0.1", port, timeout=10) as relay:
        for number in range(MOST):
            table = post.table(game)
            if table.stage != "running":
                break
            seat = active(table.game, table.state)[0]
            move = format_steps([Step(table.game.default(table.state, seat))])
            if seat == 1:
                post.move(game, seat, move)
            else:
                _answer(post, relay, WAYS[number % len(WAYS)], move)
            post.pass_time(minutes=3)
    lines = [line for line in post.lines(game) if line["kind"] == "moved"]
    assert post.table(game).stage == "finished"
    assert Counter((line["seat"], line.get("via"), "jws" in line) for line in lines).keys() == {
        (0, "mail", False),
        (1, None, True),
    }
    post.react()
    told = post.told("ada")
    assert told["Subject"].endswith("The game is over")
    count = sum("via" in line for line in lines)
    assert f"which this server alone attests: Ada {count}." in plain(told).replace("\n", " ")


def _answer(post: Post, relay: smtplib.SMTP, way: str, move: str) -> None:
    """To the last mail; it is taken, read, and answered by mail."""
    post.react()
    mail = post.asked("ada")
    shown = plain(mail)
    quote = "\n".join(f"> {line}" for line in shown.splitlines())
    raw = post.written(mail, way.format(move=move.replace("; ", "\n"), quote=quote, whole=shown))
    relay.sendmail("ada@example.org", [mail["Reply-To"].addresses[0].addr_spec], raw)
    assert post.read() == ["played"], move


def _mute(post: Post, game: str, seat: int) -> None:
    with post.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game, Seat.seat == seat).values(muted=True))
