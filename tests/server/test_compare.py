"""A checkpoint that somebody kept, compared with the log, over the API and on the game's page."""

import base64
import re

import pytest
import sqlalchemy as sa
from prometheus_client.registry import REGISTRY

from engine.record.signed import note
from server.kernel import metrics, secrets
from server.kernel.db.models import Entry, Game, ShownNote
from tests.server.harness import HOST, MASTER, Harness, harness, sqlite_url
from tests.server.lost import CLOCK, Lost, lost
from tests.server.test_web import words


def rows(hall: Harness) -> list[tuple[int, str]]:
    with hall.services.database.read() as session:
        asked = sa.select(ShownNote.size, ShownNote.relation).order_by(ShownNote.id)
        return [(size, relation) for size, relation in session.execute(asked)]


def logged(caplog, event: str) -> list[dict]:
    """Lines of the operator's log with this name."""
    said = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    return [one for one in said if one["event"] == event]


def relation(answer) -> tuple[str, int | None, bool]:
    body = answer.get_json()
    assert answer.status_code == 200, body
    return body["relation"], body["size"], body["stopped"]


@pytest.fixture
def game(hall: Harness, two) -> Lost:
    """A running game without any loss."""
    made = Lost(hall, two, hall.game("pig", two))
    made.play(4)
    made.remember()
    return made


def forged(game: Lost, size: int, head: bytes = b"\x01" * 32, number: int = 1, seed: bytes | None = None) -> str:
    return note.write(HOST, game.game, size, head, seed or secrets.server_seed(MASTER, number))


# --- relations -----------------------------------------------------------------------------------------------------


def test_the_newest_note_is_the_same_and_an_older_one_is_continued(game: Lost):
    """The answer holds our own checkpoint and head, and nothing is stored."""
    size = len(game.lines)
    answer = game.compare()
    assert relation(answer) == ("same", size, False)
    assert answer.get_json()["note"] == game.note
    assert answer.get_json()["head"]["seq"] == size - 1
    assert [relation(game.compare(game.note_on(n))) for n in (1, 3, size - 1)] == [
        ("older", n, False) for n in (1, 3, size - 1)
    ]
    assert rows(game.hall) == []


def test_another_hash_at_a_known_number_is_a_fork(game: Lost, caplog):
    """It is stored whole, counted, and reported to the operator once; the game goes on."""
    before, text = metrics.FORKS._value.get(), forged(game, 3)
    assert [relation(game.compare(text)) for _ in range(3)] == [("fork", 3, False)] * 3
    assert metrics.FORKS._value.get() == before + 1
    assert rows(game.hall) == [(3, "fork")]
    with game.hall.services.database.read() as session:
        assert session.scalar(sa.select(ShownNote.note)) == text
    [told] = logged(caplog, "fork")
    assert (told["game"], told["size"], told["shown"], told["note"]) == (game.game, len(game.lines), 3, text)
    game.play(1)


@pytest.mark.parametrize(
    ("number", "seed"), [(2, None), (1, b"\x05" * 32)], ids=["another key of ours", "a key of nobody's"]
)
def test_a_note_by_another_key_stops_nothing(game: Lost, number: int, seed: bytes | None):
    """Newer, older or contradicting, it proves nothing."""
    for size in (3, len(game.lines), 99):
        assert relation(game.compare(forged(game, size, number=number, seed=seed))) == ("unsigned", size, False)
    assert rows(game.hall) == []


def test_a_note_of_another_game_or_server_is_told_apart(game: Lost):
    """Even with a good signature of ours."""
    other = game.hall.game("pig", game.players)
    elsewhere = note.write("other.example", game.game, 99, bytes(32), secrets.server_seed(MASTER, 1))
    theirs = game.hall.client.get(f"/v1/games/{other}").get_json()["note"]
    assert [relation(game.compare(text))[0] for text in (theirs, elsewhere)] == ["other-game", "other-game"]
    assert rows(game.hall) == []


@pytest.mark.parametrize("text", [" ", "no note", "games.example/game/1\n2\n3\n", "\0", "> \n" * 12000])
def test_a_text_without_a_note_is_unreadable(game: Lost, text: str):
    """However odd or long."""
    body = game.compare(text).get_json()
    assert (body["relation"], body["size"], body["note"]) == ("none", None, game.note)


def test_a_note_is_read_from_a_mail(game: Lost):
    """Quoted, indented, with a mail's line ends and other signatures below ours, which are not stored."""
    quoted = "On Monday somebody wrote:\r\n" + "".join(f">  {line}\r\n" for line in forged(game, 3).splitlines())
    assert relation(game.compare(quoted))[0] == "fork"
    also = f"{forged(game, 4)}\u2014 witness.example {base64.b64encode(bytes(68)).decode()}\n"
    assert relation(game.compare(also))[0] == "fork"
    with game.hall.services.database.read() as session:
        assert session.scalars(sa.select(ShownNote.note).where(ShownNote.size == 4)).one() == forged(game, 4)


def test_of_many_notes_the_gravest_is_reported_and_every_grave_one_stored(game: Lost):
    """Somebody may paste a whole thread of mails."""
    thread = [game.note, game.note_on(2), forged(game, 3), forged(game, 2), forged(game, 77, seed=b"\x05" * 32)]
    assert relation(game.compare("\n\n".join(thread)))[0] == "fork"
    assert sorted(rows(game.hall)) == [(2, "fork"), (3, "fork")]
    assert relation(game.compare("\n\n".join([game.note_on(2), game.note, forged(game, 5, number=2)])))[0] == "same"


def test_a_text_above_the_limit_is_too_large(game: Lost):
    """It changes nothing."""
    answer = game.compare(game.note + "x" * 2**16)
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too-large")


@pytest.mark.slow
def test_nothing_can_follow_the_end_of_a_game(hall: Harness, two):
    """A good checkpoint with more entries than a finished game has is a fork, and stops nothing."""
    made = Lost(hall, two, hall.game("pig", two))
    hall.play_out(made.game, two)
    made.remember()
    assert relation(made.compare(forged(made, len(made.lines) + 1))) == ("fork", len(made.lines) + 1, False)


# --- a newer one ------------------------------------------------------------------------------------------------------


def test_a_newer_note_stops_the_game_for_everybody(any_hall: Harness, tmp_path, caplog):
    """Every act is refused, joins and unsigned ones too; each refusal names the missing entries."""
    from server.play.write import expire

    game = lost(any_hall, tmp_path, clock={"move": 60, "grace": 60})
    assert relation(game.compare()) == ("newer", len(game.lines), True)
    before = game.now()
    mover = game.players[game.detail()["active"][0]]
    acts = {
        "moves": mover.payload(game.game, "move", commands=[{"do": "roll"}]),
        "resign": mover.payload(game.game, "resign"),
        "keys": mover.payload(game.game, "key", drop="A" * 43),
        "leave": mover.payload(game.game, "leave"),
        "offer": mover.payload(game.game, "offer", open_=True),
    }
    for path, payload in acts.items():
        answer = mover.act(game.game, path, mover.sign(payload))
        body = answer.get_json()
        assert (answer.status_code, body["code"]) == (409, "lines-missing"), path
        assert body["facts"] == {"size": game.size, "expected": len(game.lines)}
    assert any_hall.player(7).join(game.game, 0).get_json()["code"] == "lines-missing"
    any_hall.clock.forward(days=9)
    assert expire(any_hall.services, game.game, mover.seat) is False
    assert game.now() == before
    [told] = logged(caplog, "lines-missing")
    assert (told["level"], told["size"], told["shown"]) == ("error", game.size, len(game.lines))


@pytest.mark.slow
def test_the_creator_of_a_stopped_game_cannot_give_time_or_cancel(hall: Harness, two, tmp_path):
    """Requests with a token but no signature are refused as well."""
    game = lost(hall, tmp_path, "bids", options={"lots": 9}, clock=CLOCK)
    assert game.detail()["active"] == [0, 1]
    lobby = Lost(hall, two, two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    for one in (game, lobby):
        assert relation(one.compare(forged(one, 99)))[0] == "newer"
    for one, path, body in ((game, "grants", {"seats": [1], "seconds": 60}), (lobby, "cancel", {})):
        before = one.now()
        assert two[0].post(f"/games/{one.game}/{path}", body).get_json()["code"] == "lines-missing"
        assert one.now() == before


def test_an_act_on_lost_entries_is_refused_as_such(hall: Harness, tmp_path):
    """Its head is unknown here, through a fault of the server."""
    game = lost(hall, tmp_path)
    seq, prev = len(game.lines), note.read(game.note).hash
    mover = game.players[0]
    body = {"jws": mover.sign(mover.payload(game.game, "move", at=(seq, prev), commands=[{"do": "roll"}]))}
    assert hall.client.post(f"/v1/games/{game.game}/moves", json=body).get_json()["code"] == "unknown-head"
    game.compare()
    assert hall.client.post(f"/v1/games/{game.game}/moves", json=body).get_json()["code"] == "lines-missing"


def test_a_logged_act_gets_the_same_answer_while_the_game_is_stopped(hall: Harness, two, tmp_path):
    """Nothing is written for it."""
    game = Lost(hall, two, hall.game("bids", two))
    body = two[0].signed_move(game.game, [{"do": "bid", "amount": 1}])
    first = hall.client.post(f"/v1/games/{game.game}/moves", json=body)
    assert relation(game.compare(forged(game, 99)))[0] == "newer"
    again = hall.client.post(f"/v1/games/{game.game}/moves", json=body)
    assert (again.status_code, again.get_data()) == (200, first.get_data())


@pytest.mark.slow
def test_every_view_of_a_stopped_game_gives_the_reason(hall: Harness, tmp_path):
    """In lists, in its detail under a new tag, among turns, on the front page and on its own."""
    game = lost(hall, tmp_path, clock=CLOCK)
    assert "10 minutes left" in words(hall.client.get(f"/games/{game.game}"))
    have = {"If-None-Match": hall.client.get(f"/v1/games/{game.game}").headers["ETag"]}
    game.compare()
    said = f"signed for {len(game.lines)} entries of this game but has only {game.size}"
    [listed] = hall.client.get("/v1/games").get_json()["games"]
    fresh = hall.client.get(f"/v1/games/{game.game}", headers=have)
    assert fresh.status_code == 200
    for shown in (listed, fresh.get_json()):
        assert shown["stopped"] is True
        assert said in shown["stopped_because"]
    assert [turn["stopped"] for player in game.players for turn in player.get("/me/turns").get_json()] == [True]
    page = words(hall.client.get(f"/games/{game.game}"))
    assert (said in page, "minutes left" in page) == (True, False)
    assert "stopped" in words(hall.client.get("/"))


def test_the_longest_note_counts(hall: Harness, tmp_path):
    """A later shorter one changes nothing, a longer one does; each is reported to the operator once."""
    game, before = lost(hall, tmp_path), metrics.LINES_MISSING._value.get()
    sizes = (len(game.lines) - 1, len(game.lines), len(game.lines) - 1, len(game.lines))
    for size in sizes:
        assert relation(game.compare(game.note_on(size))) == ("newer", size, True)
    with hall.services.database.read() as session:
        assert session.get_one(Game, game.game).shown_size == len(game.lines)
    assert metrics.LINES_MISSING._value.get() == before + 2


def test_two_newer_notes_that_contradict_each_other_are_a_fork(hall: Harness, tmp_path):
    """The game waits for the entries of the first; the second is evidence."""
    game = lost(hall, tmp_path)
    assert relation(game.compare())[0] == "newer"
    assert relation(game.compare(forged(game, len(game.lines)))) == ("fork", len(game.lines), True)
    assert rows(hall) == [(len(game.lines), "awaited"), (len(game.lines), "fork")]


def test_a_note_that_is_newer_only_for_a_moment_stops_nothing(hall: Harness, two, monkeypatch):
    """The log grew between the check and the lock; checked again under the lock, the checkpoint is the same."""
    from server.log import note_check

    game = Lost(hall, two, hall.game("pig", two))
    game.play(1)
    game.remember()
    real = note_check.lock_game
    monkeypatch.setattr(note_check, "judge", early(note_check.judge))
    monkeypatch.setattr(note_check, "lock_game", real)
    assert relation(game.compare()) == ("same", len(game.lines), False)
    assert rows(hall) == []


def early(judge):
    """Judge once as if the last entry were not there yet."""
    calls = []

    def judged(services, session, game, notes):
        calls.append(game)
        if len(calls) == 1:
            return [type(judge(services, session, game, notes)[0])("newer", notes[0])]
        return judge(services, session, game, notes)

    return judged


def test_comparing_for_an_unknown_game_is_not_found(hall: Harness):
    """Over the API and on the page."""
    nowhere = "00000000-0000-4000-8000-000000000000"
    assert hall.client.post(f"/v1/games/{nowhere}/compare", json={"note": "x"}).get_json()["code"] == "no-such-game"
    assert hall.client.post(f"/games/{nowhere}/compare", data={"note": "x"}).status_code == 404


# --- the page ---------------------------------------------------------------------------------------------------------


def form_of(hall: Harness, game: str) -> str:
    """The address of the form with the field `note` on the game's page; it has no other field."""
    shown = hall.client.get(f"/games/{game}").get_data(as_text=True)
    form = re.search(r'<form[^>]*method="post" action="(/games/[^"]+)">(.*?)</form>', shown, re.DOTALL)
    assert re.findall('name="([^"]+)"', form[2]) == ["note"]
    return form[1]


def test_the_page_answers_in_words_without_a_script(game: Lost):
    """A plain POST without a cookie gets a sentence for each result."""
    plain, path = game.hall.app.test_client(use_cookies=False), form_of(game.hall, game.game)
    size = len(game.lines)
    cases = {
        game.note: f"Both have {size} entries",
        game.note_on(1): f"The checkpoint covers 1 entry and the log now has {size} entries",
        forged(game, 99, number=2): "its signature is not valid",
        note.write(HOST, "00000000-0000-4000-8000-000000000000", 1, bytes(32), bytes(32)): "belongs to another game",
        forged(game, 2): "Keep the checkpoint: it is evidence.",
        forged(game, 99): "The game is stopped.",
    }
    for text, says in cases.items():
        answer = plain.post(path, data={"note": "> ".join(["", *text.splitlines(keepends=True)])})
        assert answer.status_code == 200
        assert says in words(answer), says
        assert answer.headers["Cache-Control"] == "no-store"
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
    nothing = plain.post(path, data={})
    assert (nothing.status_code, "The text does not contain a checkpoint" in words(nothing)) == (422, True)


def test_a_pasted_checkpoint_is_not_shown_again(game: Lost):
    """The page repeats no part of it, markup or other."""
    answer = game.hall.client.post(f"/games/{game.game}/compare", data={"note": "<script>alert(1)</script>"})
    assert "alert(1)" not in answer.get_data(as_text=True)


@pytest.mark.parametrize("path", ["/games/{}/compare", "/v1/games/{}/compare", "/v1/games/{}/missing"])
def test_comparing_and_submitting_entries_have_their_own_budget(tmp_path, path: str):
    """Checking a signature and a log costs much more than sending a checkpoint."""
    careful = harness(sqlite_url(tmp_path), limit_compare="2/minute")
    at = path.format("00000000-0000-4000-8000-000000000000")
    send = {"data": {"note": "x"}} if path.startswith("/games") else {"json": {"note": "x", "entries": ["{}"]}}
    codes = [careful.client.post(at, **send).status_code for _ in range(3)]
    assert codes[2] == 429
    assert 429 not in codes[:2]
    assert careful.client.post(f"/login/{'A' * 43}").status_code == 410
    careful.services.database.dispose()


def test_comparisons_are_counted_in_metrics(game: Lost):
    """Under names that an operator can watch."""
    game.compare(forged(game, 2))
    game.compare(forged(game, 99))
    assert REGISTRY.get_sample_value("sealedmove_forks_total") >= 1
    assert REGISTRY.get_sample_value("sealedmove_lines_missing_total") >= 1


def test_comparing_appends_nothing_to_the_log(game: Lost):
    """Entries and head stay the same."""
    for text in (forged(game, 2), forged(game, 99), game.note):
        game.compare(text)
    with game.hall.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).where(Entry.game_id == game.game)) == len(game.lines)
    assert game.now() == game.lines
