"""Lines that a restore has cost the server, handed in by its players: taken, and the game goes on as if nothing was."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from engine.record import canonical, instants
from engine.record.audit import audit
from server.db.models import Entry, EntryPrivate, Game, HandedText, Outbox, Seat, ShownNote
from server.projections import events
from server.usecases import missing as module
from tests.server.house import House
from tests.server.lost import CLOCK, Backup, Lost, forget, lost
from tests.server.test_compare import logged


def taken(answer) -> tuple[int, int | None, bool]:
    body = answer.get_json()
    assert answer.status_code == 200, body
    return body["taken"], body["lacks"], body["stopped"]


def stored(hall: House, game: str) -> dict[str, list]:
    """Everything that the server keeps of a game, but what it tells people and what they have shown."""
    with hall.services.database.read() as session:
        row = session.get_one(Game, game)
        kept = {
            kind.__tablename__: [
                tuple(getattr(one, column.key) for column in sa.inspect(kind).columns)
                for one in session.scalars(sa.select(kind).where(kind.game_id == game).order_by(*order))
            ]
            for kind, order in ((Entry, [Entry.seq]), (EntryPrivate, [EntryPrivate.seq]), (Seat, [Seat.seat]))
        }
        kept["game"] = [(row.status, row.head_seq, row.head_hash, row.faulted_at, row.missing_since, row.shown_size)]
        return kept


def told(hall: House, game: str, after: int = 0) -> list[tuple[str, int]]:
    """Outbox rows after a number."""
    with hall.services.database.read() as session:
        rows = session.execute(sa.select(Outbox.kind, Outbox.seq).where(Outbox.game_id == game, Outbox.id > after))
        return [(kind, seq) for kind, seq in rows]


def newest(hall: House) -> int:
    with hall.services.database.read() as session:
        return session.scalar(sa.select(sa.func.max(Outbox.id))) or 0


def kept_aside(hall: House) -> int:
    """Notes that are awaited and texts that wait for their lines."""
    with hall.services.database.read() as session:
        texts = session.scalar(sa.select(sa.func.count()).select_from(HandedText)) or 0
        return texts + (session.scalar(sa.select(sa.func.count()).where(ShownNote.relation == "awaited")) or 0)


def whole(hall: House, folder, key: str, after: int = 4, **wish) -> tuple[Lost, dict[str, list]]:
    """A game whose last moves are lost, and what the server had kept of it."""
    players = [hall.player(number) for number in range(2)]
    made = Lost(hall, players, hall.game(key, players, **wish))
    made.play(2)
    made.size = len(made.now())
    backup = Backup(hall, folder)
    made.play(after)
    made.remember()
    before = stored(hall, made.game)
    backup.restore()
    return made, before


# --- taken ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_lines_handed_in_leave_everything_as_it_was(any_hall: House, tmp_path, key: str):
    """Entries, openings, how far moves went, clocks of seats: byte for byte what was lost. Then it is played out."""
    game, before = whole(any_hall, tmp_path, key, options={"lots": 6} if key == "bids" else {}, clock=CLOCK)
    assert game.compare().get_json()["relation"] == "newer"
    answer = game.hand_in()
    assert taken(answer) == (len(game.lines) - game.size, None, False)
    assert answer.get_json()["note"] == game.note
    assert answer.get_json()["head"]["seq"] == len(game.lines) - 1
    assert game.now() == game.lines
    assert stored(any_hall, game.game) == before
    assert kept_aside(any_hall) == 0
    any_hall.play_out(game.game, game.players)
    report = audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data(), note=game.note)
    assert report.verdict == "holds", report


def test_lines_need_no_note_to_be_shown_before(hall: House, tmp_path):
    """The note that comes with them says all."""
    game = lost(hall, tmp_path)
    assert taken(game.hand_in()) == (len(game.lines) - game.size, None, False)


def test_a_part_up_to_a_shorter_note_is_taken_and_the_game_waits_for_the_rest(hall: House, tmp_path):
    """Each of two has kept a part."""
    game = lost(hall, tmp_path)
    game.compare()
    assert taken(game.hand_in(last=game.size)) == (1, None, True)
    mover = game.players[game.detail()["active"][0]]
    assert mover.move(game.game, [{"do": "roll"}]).get_json()["code"] == "lines-missing"
    assert taken(game.hand_in(first=game.size + 1)) == (len(game.lines) - game.size - 1, None, False)
    assert game.now() == game.lines


@pytest.mark.parametrize("first", [0, 1, 4])
def test_lines_that_are_here_may_be_among_them(hall: House, tmp_path, first: int):
    """Whoever has all of the log hands in all of it."""
    game = lost(hall, tmp_path)
    assert taken(game.hand_in(first=first)) == (len(game.lines) - game.size, None, False)
    assert game.now() == game.lines


def test_the_same_lines_again_are_taken_once(any_hall: House, tmp_path):
    """An answer was lost, or two people have the same."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 6})
    first, second = game.hand_in(), game.hand_in()
    assert taken(second) == (0, None, False)
    assert second.get_json()["head"] == first.get_json()["head"]
    assert game.now() == game.lines


def test_two_who_hand_in_at_once_hand_in_once(any_hall: House, tmp_path, monkeypatch):
    """In small batches, so that they overtake each other; whatever one of them took is not taken again."""
    monkeypatch.setattr(module, "A_BATCH", 2)
    game = lost(any_hall, tmp_path, "bids", options={"lots": 9}, after=10)
    clients = [any_hall.app.test_client() for _ in range(4)]
    body = {"entries": game.lines[game.size :], "note": game.note, "moves": game.moves()}
    send = lambda client: client.post(f"/v1/games/{game.game}/missing", json=body)  # noqa: E731 - a line in a test
    with ThreadPoolExecutor(4) as pool:
        answers = [taken(answer) for answer in pool.map(send, clients)]
    assert sum(count for count, _, _ in answers) == len(game.lines) - game.size
    assert {(lacks, stopped) for _, lacks, stopped in answers} == {(None, False)}
    assert game.now() == game.lines


def test_a_process_that_dies_between_batches_leaves_a_shorter_way(any_hall: House, tmp_path, monkeypatch):
    """What was stored stays, the game is still stopped, and the same request again does the rest."""
    game, before = whole(any_hall, tmp_path, "bids", options={"lots": 6}, after=6)
    monkeypatch.setattr(module, "A_BATCH", 2)
    real, calls = module._store, []

    def dies(*given):
        calls.append(given)
        if len(calls) == 2:
            raise OSError("gone")
        return real(*given)

    with monkeypatch.context() as broken:
        broken.setattr(module, "_store", dies)
        assert game.hand_in().status_code == 500
    assert game.now() == game.lines[: game.size + 2]
    assert game.detail()["stopped"] is True
    assert taken(game.hand_in()) == (len(game.lines) - game.size - 2, None, False)
    assert stored(any_hall, game.game) == before


def test_a_process_that_dies_before_its_commit_has_taken_nothing(any_hall: House, tmp_path, monkeypatch):
    """Entries, clocks, outbox and the end of the wait are one transaction."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 6})
    game.compare()
    before, mark = stored(any_hall, game.game), newest(any_hall)

    def fail(*_given):
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("server.log.missing.outbox.of_position", fail)
        assert game.hand_in().get_json()["code"] == "internal-error"
    assert stored(any_hall, game.game) == before
    assert told(any_hall, game.game, mark) == []
    assert game.now() == game.lines[: game.size]
    assert taken(game.hand_in())[2] is False


def test_a_process_that_keeps_the_lost_log_in_memory_goes_by_the_store(hall: House, tmp_path):
    """It was not started anew after the restore: the table that it kept is of a log that is not here."""
    game = lost(hall, tmp_path)
    assert hall.services.tables.kept(game.game).size == len(game.lines)
    game.detail()
    assert hall.services.tables.kept(game.game).size == game.size
    game.hand_in()
    assert hall.services.tables.kept(game.game).size == len(game.lines)


# --- what people are told ---------------------------------------------------------------------------------------------


def test_who_owes_a_move_is_told_once_for_the_position_reached(any_hall: House, tmp_path):
    """One outbox row for the question that stands, none for those that the lines have answered."""
    game = lost(any_hall, tmp_path, after=5)
    mark = newest(any_hall)
    game.hand_in()
    with any_hall.services.database.read() as session:
        asked = sa.select(Seat.question_seq).where(Seat.game_id == game.game, Seat.question_seq.is_not(None))
        [question] = session.scalars(asked)
    assert told(any_hall, game.game, mark) == [("turn", question)]


def test_nobody_is_told_before_the_game_is_whole(hall: House, tmp_path):
    """A part of the lines leads to a position that is none."""
    game, mark = lost(hall, tmp_path, after=5), newest(hall)
    game.compare()
    game.hand_in(last=game.size + 1)
    assert told(hall, game.game, mark) == []


def test_the_end_of_a_game_comes_back_and_is_told(any_hall: House, tmp_path):
    """With its outcome and its secret; the status is that of the lines."""
    players = [any_hall.player(number) for number in range(2)]
    game = Lost(any_hall, players, any_hall.game("bids", players, options={"lots": 2}))
    game.play(1)
    forget(game, tmp_path, 99)
    mark = newest(any_hall)
    assert taken(game.hand_in())[2] is False
    assert game.detail()["status"] == "finished"
    assert told(any_hall, game.game, mark) == [("over", len(game.lines) - 1)]
    with any_hall.services.database.read() as session:
        newest_event = events.after(session, players[1].account, 0).events[-1]
    assert (newest_event["kind"], newest_event["seq"]) == ("over", len(game.lines) - 1)
    assert audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"


def test_a_game_taken_back_is_taken_back_again(hall: House, two, tmp_path):
    """`cancelled` is a line like another."""
    game = Lost(hall, two, two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    backup = Backup(hall, tmp_path)
    game.size = 1
    two[0].post(f"/games/{game.game}/cancel")
    game.remember()
    backup.restore()
    mark = newest(hall)
    assert taken(game.hand_in()) == (1, None, False)
    assert game.detail()["status"] == "cancelled"
    assert told(hall, game.game, mark) == [("cancelled", 1)]


# --- time -------------------------------------------------------------------------------------------------------------


def test_the_time_for_which_nobody_could_move_is_given_back(any_hall: House, tmp_path):
    """By an entry that anybody can check: to who owes a move, as long as the game was stopped."""
    game = lost(any_hall, tmp_path, clock=CLOCK)
    game.compare()
    any_hall.clock.forward(hours=5)
    answer = game.hand_in()
    assert taken(answer) == (len(game.lines) - game.size, None, False)
    [extra] = game.now()[len(game.lines) :]
    entry = canonical.loads(extra.encode())
    assert (entry["kind"], entry["seconds"], entry["seats"]) == ("granted", 5 * 3600, game.detail()["active"])
    [due] = [one["deadline"] for one in game.detail()["deadlines"]]
    asked = canonical.loads(game.lines[-1].encode())["at"]
    assert instants.seconds(due) == instants.seconds(asked) + CLOCK["move"] + CLOCK["grace"] + 5 * 3600
    assert answer.get_json()["head"]["seq"] == len(game.lines)
    any_hall.play_out(game.game, game.players)
    assert audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"


def test_no_time_is_given_where_there_is_no_clock_or_nobody_owes_a_move(hall: House, two, tmp_path):
    """Nor for less than a minute."""
    for number, (wish, wait, after) in enumerate(
        [({"clock": None}, 5, 3), ({"clock": CLOCK}, 0, 3), ({"clock": CLOCK}, 5, 99)]
    ):
        game = Lost(hall, two, hall.game("pig", two, options={"goal": 10}, **wish))
        (tmp_path / str(number)).mkdir()
        forget(game, tmp_path / str(number), after)
        game.compare()
        hall.clock.forward(hours=wait)
        game.hand_in()
        assert game.now() == game.lines


def test_the_clock_goes_on_where_it_stood(hall: House, tmp_path):
    """The player who was to move has all the time that he had when the game was stopped, and no more."""
    from server.usecases.expire import expire

    game = lost(hall, tmp_path, clock=CLOCK)
    hall.clock.forward(seconds=CLOCK["move"])
    game.compare()
    hall.clock.forward(days=3)
    [seat] = canonical_active(game)
    game.hand_in()
    hall.clock.forward(seconds=CLOCK["grace"] - 1)
    assert expire(hall.services, game.game, seat) is False
    hall.clock.at += timedelta(seconds=1)
    assert expire(hall.services, game.game, seat) is True


def canonical_active(game: Lost) -> list[int]:
    """Who is to move at the end of the lines: in pig, whoever did not end the last turn."""
    last = canonical.loads(game.lines[-1].encode())
    ended = any(event["is"] == "TurnEnded" for event in last["events"])
    return [1 - last["seat"]] if ended else [last["seat"]]


# --- seats ------------------------------------------------------------------------------------------------------------


def test_joins_and_the_start_come_back_with_their_accounts(any_hall: House, tmp_path):
    """Whose a key is stands with its registration."""
    players = [any_hall.player(number) for number in range(2)]
    game = Lost(any_hall, players, players[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"])
    backup = Backup(any_hall, tmp_path)
    game.size = 1
    players[0].join(game.game, 0)
    players[0].act(game.game, "leave", players[0].sign(players[0].payload(game.game, "leave")))
    for player in players:
        assert player.join(game.game, player.number).status_code == 201
    game.play(1)
    game.remember()
    before = stored(any_hall, game.game)
    backup.restore()
    assert taken(game.hand_in()) == (len(game.lines) - 1, None, False)
    assert stored(any_hall, game.game) == before
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", "Player 1"]
    game.play(9)


def test_a_game_that_all_have_joined_starts_if_nobody_has_seen_it_start(any_hall: House, tmp_path):
    """The last join was answered with the note on itself, and that answer is all that anybody kept."""
    players = [any_hall.player(number) for number in range(2)]
    game = Lost(any_hall, players, players[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"])
    backup = Backup(any_hall, tmp_path)
    game.size = 1
    answers = [player.join(game.game, player.number).get_json() for player in players]
    game.remember()
    backup.restore()
    lines, mark = [answer["entry"] for answer in answers], newest(any_hall)
    assert taken(game.post(lines, answers[-1]["note"])) == (2, None, False)
    assert game.detail()["status"] == "running"
    assert told(any_hall, game.game, mark) == [("started", 3), ("turn", 3)]
    game.play(99)
    assert audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"


def test_a_seat_whose_account_is_lost_comes_back_without_one(any_hall: House, tmp_path, caplog):
    """Lists, pages and mails bear it, and it plays on by its key; who registers the key again has the seat again."""
    first = any_hall.player(0)
    game = Lost(any_hall, [first], first.post("/games", {"type": "bids", "seats": 2}).get_json()["id"])
    backup = Backup(any_hall, tmp_path)
    game.size = 1
    game.players.append(any_hall.player(1))
    for player in game.players:
        player.join(game.game, player.number)
    game.play(1)
    game.remember()
    backup.restore()
    assert taken(game.hand_in())[2] is False
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", None]
    for path in ("/", f"/games/{game.game}", "/v1/games", f"/v1/games/{game.game}/view"):
        assert any_hall.client.get(path).status_code == 200
    again = any_hall.player(1)
    game.players[1].token = again.token
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", "Player 1"]
    assert game.players[1].get(f"/games/{game.game}/view").get_json()["seat"] == 1
    game.play(99)
    assert game.detail()["status"] == "finished"


def test_a_registration_takes_no_seat_of_another_key_nor_a_second_one(hall: House, two, tmp_path):
    """Nobody gets a seat but by the key that holds it, and nobody two in a game."""
    game = Lost(hall, two, hall.game("bids", two))
    with hall.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game.game, Seat.seat == 1).values(account_id=None))
    hall.player(5)
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", None]
    with hall.services.database.write() as session:
        from server.db.models import AccountKey

        session.execute(sa.delete(AccountKey).where(AccountKey.account_id == two[1].account))
    assert two[0].post("/me/keys", {"jws": hall.proof(two[0], two[1].seed)}).status_code == 201
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", None]


# --- sealed moves -----------------------------------------------------------------------------------------------------


def sealed(hall: House, folder, after: int = 8) -> Lost:
    """A hidden game in which both have moved by turns."""
    return lost(hall, folder, "bids", options={"lots": 9}, after=after)


def test_of_a_hidden_game_each_player_hands_in_his_own_texts_once(any_hall: House, tmp_path):
    """The first is told whose text is lacking; his own are kept, so the second needs no third."""
    game = sealed(any_hall, tmp_path)
    movers = {seq: canonical.loads(game.lines[seq].encode())["seat"] for seq in sorted(game.texts) if seq >= game.size}
    mover = movers[game.size]
    lacking = next(seq for seq, seat in movers.items() if seat != mover)
    assert taken(game.hand_in(by=(mover,))) == (lacking - game.size, lacking, True)
    assert game.now() == game.lines[:lacking]
    assert taken(game.hand_in(first=lacking, by=(1 - mover,))) == (len(game.lines) - lacking, None, False)
    assert game.now() == game.lines
    assert kept_aside(any_hall) == 0


def test_without_any_text_nothing_is_taken_and_the_first_is_named(hall: House, tmp_path):
    """Lines alone decide no sealed move."""
    game = sealed(hall, tmp_path)
    assert taken(game.hand_in(by=())) == (0, game.size, True)
    assert game.now() == game.lines[: game.size]


def test_a_false_text_is_refused_and_keeps_nobody_else_out(hall: House, tmp_path):
    """Nothing of that request is kept, also not the good texts in it."""
    game = sealed(hall, tmp_path)
    game.compare()
    false = [*game.moves()[1:], game.moves()[0] | {"text": '{"commands":[],"salt":""}'}]
    before = kept_aside(hall)
    answer = game.post(game.lines[game.size :], game.note, false)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "wrong-seal")
    assert game.now() == game.lines[: game.size]
    assert kept_aside(hall) == before
    assert taken(game.hand_in())[2] is False


@pytest.mark.parametrize("text", ["ä", "a\nb", "\0"])
def test_a_text_that_no_move_can_have_is_refused(hall: House, tmp_path, text: str):
    """It would not even reach the database."""
    game = sealed(hall, tmp_path, after=2)
    answer = game.post(game.lines[game.size :], game.note, [{"seq": game.size, "text": text}])
    assert (answer.status_code, answer.get_json()["code"]) == (400, "not-ascii")
    assert game.now() == game.lines[: game.size]


def test_a_text_for_what_is_no_sealed_move_is_refused(hall: House, tmp_path):
    """An open game has none."""
    game = lost(hall, tmp_path)
    answer = game.post(game.lines[game.size :], game.note, [{"seq": game.size, "text": '{"commands":[],"salt":""}'}])
    assert (answer.status_code, answer.get_json()["code"]) == (422, "wrong-seal")
    assert game.now() == game.lines[: game.size]


def test_texts_of_other_entries_are_not_looked_at_and_not_kept(hall: House, tmp_path):
    """A client may send all that it has: what is here already, and what comes after the lines."""
    game = sealed(hall, tmp_path, after=2)
    others = [{"seq": seq, "text": "nothing"} for seq in (1, 3, 900)]
    assert taken(game.post(game.lines, game.note, [*others, *game.moves()]))[2] is False
    assert taken(game.post(game.lines, game.note, [*others, *game.moves()])) == (0, None, False)
    assert kept_aside(hall) == 0


def test_handing_in_tells_no_secret(hall: House, tmp_path, caplog):
    """Texts stand in no answer and in no log, and are no easier to read than before."""
    caplog.set_level("DEBUG")
    game = sealed(hall, tmp_path)
    answers = [game.hand_in(by=(seat,)).get_data(as_text=True) for seat in (0, 1)]
    said = "".join(answers) + caplog.text + "".join(map(repr, caplog.records))
    assert not [text for text in game.texts.values() if text in said or text.replace('"', '\\"') in said]
    assert logged(caplog, "lines-taken")
    shown = hall.client.get(f"/games/{game.game}").get_data(as_text=True)
    assert "sealed a bid: hidden" in shown


# --- at once ----------------------------------------------------------------------------------------------------------


def test_an_act_and_lines_at_once_never_fork(any_hall: House, tmp_path):
    """Acts of every kind keep coming in while lines are handed in: each is refused, or stands upon all of them."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 9}, after=10)
    game.compare()
    bodies = [player.signed_move(game.game, [{"do": "bid", "amount": 1}]) for player in game.players] * 6
    lines = {"entries": game.lines[game.size :], "note": game.note, "moves": game.moves()}

    def send(what):
        path, body = what
        return any_hall.app.test_client().post(f"/v1/games/{game.game}/{path}", json=body)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, [("moves", body) for body in bodies[:6]] + [("missing", lines)] * 2))
    assert {answer.get_json().get("code") for answer in answers[:6]} <= {"lines-missing", "unknown-head", "stale-head"}
    assert game.now()[: len(game.lines)] == game.lines
    assert game.detail()["stopped"] is False


def test_a_note_and_an_act_at_once_leave_one_history(any_hall: House, tmp_path):
    """Either the act was first, and the note proves a fork; or the note was, and the act is refused."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 9})
    mover = game.players[game.detail()["active"][0]]
    any_hall.clock.forward(seconds=5)
    body = mover.signed_move(game.game, [{"do": "bid", "amount": 7}])
    ways = [("moves", body), ("compare", {"note": game.note})]

    def send(what):
        return any_hall.app.test_client().post(f"/v1/games/{game.game}/{what[0]}", json=what[1]).get_json()

    with ThreadPoolExecutor(2) as pool:
        moved, compared = pool.map(send, ways)
    assert compared["relation"] == "newer"
    assert game.detail()["stopped"] is True
    if "entry" in moved:
        assert game.hand_in().get_json()["code"] == "fork"
        assert game.now() == [*game.lines[: game.size], moved["entry"]]
    else:
        assert moved["code"] == "lines-missing"
        assert taken(game.hand_in())[2] is False
