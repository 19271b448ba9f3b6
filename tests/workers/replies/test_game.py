"""Whole games by mail: two people only answer mails, two sign over the API, and all mail goes through real SMTP,
both ways. House players choose the moves from what each seat sees; an answer is a whole turn.
"""

from __future__ import annotations

import logging
import random
import smtplib
from collections import Counter

import pytest
import sqlalchemy as sa

from engine.games.lewis_clark.state import Played
from engine.kit import Step, active, dump_steps, format_command, format_steps, legal, view
from engine.players import Anything, Facts, Positions, levels
from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H
from engine.record.signed import acts, keys, moves
from server.http.app import create_app
from server.kernel.db.models import Seat
from tests.kit.patience import PATIENCE
from tests.server.harness import Client
from tests.workers import harness
from tests.workers.harness import Sink, about, seed
from tests.workers.replies.post import Post, door, plain

FIGURES = logging.getLogger("figures")
SERVER = "127.0.0.1:8000"
MOST = 2000
BY_MAIL = (0, 2)
PEOPLE = ("Ada", "Ben", "Cy", "Dee")
WAYS = (
    "{move}\n",
    "{move}\n\n-- \nAda\n",
    "{move}\n\nOn Sat, 21 Nov 2026 at 11:00, Sealed Move <games@localhost> wrote:\n\n{quote}\n",
    "On Sat, 21 Nov 2026 at 11:00, Sealed Move <games@localhost> wrote:\n\n{quote}\n\n{move}\n",
    "{move}\n\nSent from my iPhone\n\n> On 21 Nov 2026, at 11:00, Sealed Move wrote:\n>\n{quote}\n",
    "{move}\n\n-----Original Message-----\nFrom: Sealed Move <games@localhost>\nSent: Saturday\n\n{whole}\n",
)


@pytest.fixture
def server_with_four(tmp_path, monkeypatch):
    """A server with four people whose mails can be answered, and a client of its API."""
    monkeypatch.setattr(harness, "PEOPLE", PEOPLE)
    monkeypatch.setattr("workers.mail.near.png", lambda _: None)  # tested elsewhere, and it takes most of the time
    sink = Sink()
    made = Post(f"sqlite:///{tmp_path / 'house.db'}", sink)
    app = create_app(services=made.services)
    app.test_client_class = Client
    yield made, Client(app, at=made.settings.public_url)
    made.close()
    sink.stop()


@pytest.mark.parametrize(
    "kind", ["pig", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("livingstone", "tikal"))]
)
def test_a_whole_game_by_mail(server_with_four, kind):
    """All moves of two seats are answers, in the styles of several programs; the bundle passes the audit."""
    post, client = server_with_four
    game = post.game(kind, seats=4, unsigned=True)
    _mute(post, game)
    counted: Counter[str] = Counter()
    dice = random.Random(f"{kind} by mail")
    with door(post) as port, smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as relay:
        for number in range(MOST):
            table = post.table(game)
            if table.stage != "running":
                break
            seat = active(table.game, table.state)[0]
            steps = _thought(table, seat, dice)
            if seat in BY_MAIL:
                counted[_answer(post, relay, seat, WAYS[number % len(WAYS)], steps)] += 1
            else:
                counted[_send(client, game, seat, steps)] += 1
            post.pass_time(minutes=3)
    FIGURES.info("%s: %d entries, %s, %d mails out", kind, len(post.lines(game)), counted, len(post.sink.mails))
    assert set(counted) == {"played", "signed"}
    _check(post, client, game, counted)


def test_a_turn_that_draws_in_its_middle_is_played_whole(post):
    """A recruit draws before a card is covered, whose back stays untyped."""
    game = post.game("lewis_clark", unsigned=True, covered="hidden")
    post.react()
    table = post.table(game)
    seat = active(table.game, table.state)[0]
    listed = (format_command(command) for command in legal(table.game, table.state, seat))
    recruit = next(text for text in listed if text.startswith("recruit ") and text.endswith(" discard interpreter"))
    assert post.reply(PEOPLE[seat].lower(), f"{recruit}; play hunter; under commander; use; end") == ["played"]
    table = post.table(game)
    assert table.state.players[seat].table == (Played(card="hunter", under="commander"),)
    assert active(table.game, table.state) == (1 - seat,)


def _thought(table, seat: int, dice: random.Random) -> list[Step]:
    """A turn by the weakest policy that plays from this view."""
    policy = next(iter(levels(table.game).values()), Anything())
    listed = tuple(legal(table.game, table.state, seat))
    facts = Facts(game=table.game, seat=seat, options=table.options, budget=Positions(50))
    return [Step(one) for one in policy.line(facts, view(table.game, table.state, seat), listed, dice)]


def _answer(post: Post, relay: smtplib.SMTP, seat: int, way: str, steps: list[Step]) -> str:
    """Answer the last mail; it is received, read and answered."""
    post.react()
    name = PEOPLE[seat].lower()
    mail, move = post.asked(name), format_steps(steps).replace("; ", "\n")
    shown = plain(mail)
    quote = "\n".join(f"> {line}" for line in shown.splitlines())
    raw = post.written(mail, way.format(move=move, quote=quote, whole=shown))
    relay.sendmail(f"{name}@example.org", [mail["Reply-To"].addresses[0].addr_spec], raw)
    assert post.read() == ["played"], move
    return "played"


def _send(client: Client, game: str, seat: int, steps: list[Step]) -> str:
    """Sign on the head from the API; sealed in a hidden game."""
    shown = client.get(f"/v1/games/{game}").get_json()
    at = {"aud": SERVER, "game": game, "seat": seat, "seq": shown["head"]["seq"] + 1}
    at["prev"] = canonical.from_base64url(shown["head"]["hash"])
    body = {"text": moves.move_text(dump_steps(steps), H(repr(at).encode()))} if shown["hidden"] else {}
    what = {"sealed": moves.seal_move(body["text"])} if body else {"commands": dump_steps(steps)}
    body["jws"] = keys.sign_jws(seed(PEOPLE[seat]), acts.move(**at, **what))
    answer = client.post(f"/v1/games/{game}/moves", json=body)
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return "signed"


def _check(post: Post, client: Client, game: str, counted: Counter[str]) -> None:
    lines = [line for line in post.lines(game) if line["kind"] == "moved"]
    attested = Counter((line["seat"], line.get("via"), "jws" in line) for line in lines)
    assert {seat: (via, is_signed) for seat, via, is_signed in attested} == {
        seat: ("mail", False) if seat in BY_MAIL else (None, True) for seat in range(4)
    }
    assert post.table(game).stage == "finished"
    assert audit(client.get(f"/v1/games/{game}/bundle").data).exit == 0
    post.react()
    told = " ".join(plain(post.told("ada")).split())
    assert about(post.told("ada")).endswith("The game has finished")
    by_mail = {seat: sum(line["seat"] == seat for line in lines) for seat in BY_MAIL}
    assert sum(by_mail.values()) == counted["played"]
    assert f"Ada {by_mail[0]}" in told
    assert f"Cy {by_mail[2]}" in told
    for mail in post.sink.mails:
        assert mail["To"].addresses[0].username in ("ada", "cy") or "over" in about(mail)


def _mute(post: Post, game: str) -> None:
    """Players who use the API want no mail."""
    with post.services.database.write() as session:
        others = (Seat.game_id == game, Seat.seat.not_in(BY_MAIL))
        session.execute(sa.update(Seat).where(*others).values(muted=True))
