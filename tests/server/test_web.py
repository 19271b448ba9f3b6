"""The pages, over a real server with real games: what they show, what they never show, and that GET changes nothing."""

import hashlib
import html
import itertools
import re
from dataclasses import replace

import msgspec
import pytest
import sqlalchemy as sa

from server.evidence.audit import make_audit
from server.kernel import secrets
from server.kernel.db.models import Account, Game
from server.play import read as play
from server.play.page import ended
from tests.server.harness import MASTER, Harness, harness, sqlite_url

DAY = 86400
CLOCK = {"move": 3 * DAY, "grace": 3600}


def text(answer):
    assert answer.mimetype == "text/html"
    return answer.get_data(as_text=True)


def words(answer):
    """The page's visible words in one line."""
    return " ".join(re.sub("<[^>]*>", " ", text(answer).partition("<main")[2]).split())


@pytest.fixture
def bids(hall, two):
    """A running game with hidden information and a clock."""
    return hall.game("bids", two, clock=CLOCK, holidays="no")


@pytest.fixture
def pig(hall, two):
    """An open game that was played to its end."""
    game = hall.game("pig", two)
    hall.play_out(game, two)
    return game


def rename(hall, player, name):
    with hall.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.id == player.account).values(name=name))


# --- the front page -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_front_page_lists_games_by_stage(hall, two, bids, pig):
    """Open games with their free seats, running and finished ones, each with a link."""
    two[0].post("/games", {"type": "pig", "seats": 3})
    front = hall.client.get("/")
    assert "3 of 3 seats free" in words(front)
    assert re.findall('href="/games/([^"]+)"', text(front))[1:] == [bids, pig]


def test_empty_lists_on_the_front_page_say_so(hall):
    """Each with a sentence."""
    shown = words(hall.client.get("/"))
    for sentence in ("No table has a free seat.", "No game is running.", "No game has finished yet."):
        assert sentence in shown


# --- a game ---------------------------------------------------------------------------------------------------------


def test_a_running_game_shows_who_owes_a_move_until_when(hall, bids):
    """Both bidders, with the time left by the server's clock, grace included."""
    hall.clock.forward(hours=20)
    shown = words(hall.client.get(f"/games/{bids}"))
    assert "Player 0 2 days 5 hours left until Tuesday 24 November 2026, 11:00 UTC Player 1 2 days" in shown
    hall.clock.forward(days=9)
    assert "time is up" in words(hall.client.get(f"/games/{bids}"))


@pytest.mark.slow
def test_a_finished_game_shows_its_ranking(hall, pig):
    """Places in order, and points by heading as in the log."""
    result = hall.client.get(f"/v1/games/{pig}").get_json()["result"]
    shown = words(hall.client.get(f"/games/{pig}"))
    places = "".join(f"{n} Player {seats[0]} " for n, seats in enumerate(result["places"], 1))
    assert places in shown
    assert all(heading in shown for heading, _ in result["points"])
    assert "Somebody has reached the goal." in shown
    assert "To move" not in shown


def test_tied_players_share_a_place(hall, two):
    """A tie takes as many places as it has players; players who resigned are marked."""
    at = play.perspective(hall.services, hall.game("pig", [*two, hall.player(2)]), None)
    result = {"places": [[0, 2], [1]], "points": [["pips", [7, 1, 7]]], "out": [], "reason": "goal"}
    at = replace(at, table=msgspec.structs.replace(at.table, outcome=result, gone=(1,)))
    shown = ended(at, ("Ada", "Ben", "Cy"))
    assert [(row["place"], row["names"], row["fate"]) for row in shown["places"]] == [
        (1, ["Ada", "Cy"], ["", ""]),
        (3, ["Ben"], ["resigned"]),
    ]
    assert shown["points"] == [("Ada", [7]), ("Cy", [7]), ("Ben", [1])]


def test_the_log_is_shown_in_sentences_with_names(hall, two, bids):
    """Newest first; sealed moves are shown as hidden."""
    two[0].move(bids, [{"do": "bid", "amount": 3}])
    told = words(hall.client.get(f"/games/{bids}"))
    assert "4 Player 0 sealed a bid: hidden. Saturday 21 November 2026, 10:00 UTC 3 " in told
    assert told.index("The sale begins.") > told.index("sealed a bid")


@pytest.mark.slow
def test_a_long_log_has_pages(hall, pig, monkeypatch):
    """The links to earlier entries lead through all of them, each once."""
    monkeypatch.setattr("server.play.log_sentences.A_PAGE", 7)
    link, seen = [f"/games/{pig}"], []
    while link:
        shown = text(hall.client.get(link[0]))
        seen += map(int, re.findall('id="entry-([0-9]+)"', shown))
        link = re.findall('rel="next" href="([^"#]+)', shown)
    assert seen == list(range(hall.head(pig)[0] - 1, -1, -1))
    assert len(seen) > 14


@pytest.mark.parametrize("before", ["x", "-5", "0", "9" * 40])
def test_an_odd_entry_number_breaks_no_page(hall, bids, before):
    """Before the first entry nothing is shown, and past the end the newest page."""
    shown = text(hall.client.get(f"/games/{bids}?before={before}"))
    assert len(re.findall('id="entry-', shown)) == (0 if before in ("0", "-5") else 4)


def test_the_page_has_the_note_and_a_link_to_the_bundle(hall, bids):
    """The checkpoint is the API's."""
    shown = hall.client.get(f"/games/{bids}").get_data(as_text=True)
    assert hall.client.get(f"/v1/games/{bids}").get_json()["note"].splitlines()[2] in shown
    link = re.search('href="(/v1/games/[^"]+bundle)"', shown)[1]
    assert hall.client.get(link).status_code == 200


def test_the_page_of_a_stopped_game_says_so(hall, bids):
    """And that the fault is the server's."""
    with hall.services.database.write() as session:
        session.execute(sa.update(Game).values(faulted_at=hall.clock()))
    assert "This game is stopped" in words(hall.client.get(f"/games/{bids}"))


def test_an_open_game_shows_its_players_and_the_data_that_a_join_leaves(hall, two):
    """Before the start there is no position."""
    game = two[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    two[0].join(game, 1)
    shown = words(hall.client.get(f"/games/{game}"))
    assert "free Player 0" in shown
    assert "times of your moves forever" in shown
    assert "Public view" not in shown
    assert hall.client.get(f"/games/{game}/picture.svg").status_code == 404


def test_a_cancelled_game_has_a_page(hall, two):
    """Without ranking or player to move."""
    game = two[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    two[0].post(f"/games/{game}/cancel")
    shown = words(hall.client.get(f"/games/{game}"))
    assert "cancelled" in shown
    assert "To move" not in shown


# --- looking back ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_position_can_be_looked_at_without_a_script(hall, pig):
    """The links lead from the first position to the present one; each page shows the entry's events."""
    link, seen = f"/games/{pig}?at=3", []
    while link:
        shown = text(hall.client.get(link))
        seen.append(re.search(">(?:Position after entry ([0-9]+) of|Final position)", shown)[1])
        if seen[-1] is None:
            break
        there = hall.client.get(f"/v1/games/{pig}/view?at={seen[-1]}").get_json()
        assert there["board"] == html.unescape(re.search('<pre class="board"[^>]*>([^<]*)', shown)[1])
        assert all(f"<bdi>{html.escape(one)}</bdi>" in shown for one in there["sentences"])
        drawn = html.unescape(re.search('src="(/games/[^"]+picture.svg[^"]+)"', shown)[1])
        assert hall.client.get(drawn).data == hall.client.get(f"/v1/games/{pig}/picture?at={seen[-1]}").data
        onward = re.search('<a href="([?]at=[0-9]+)#position">Next</a>', shown)
        link = onward and f"/games/{pig}{onward[1]}"
    assert seen == [*map(str, range(3, hall.head(pig)[0] - 1)), None]


@pytest.mark.parametrize(
    "wish", ["at=x", "at=-1", "at=999999", "at=99999999999", "at=0", "seat=7", "seat=0", "at=3&seat=1"]
)
def test_a_position_that_may_not_be_seen_shows_the_present_one(hall, bids, wish):
    """An invalid or unknown number, one before the start, or another seat while the game runs."""
    assert re.sub("[?][A-Za-z0-9_=&;-]+", "", text(hall.client.get(f"/games/{bids}?{wish}"))) == re.sub(
        "[?][A-Za-z0-9_=&;-]+", "", text(hall.client.get(f"/games/{bids}"))
    )


def test_at_the_end_the_log_shows_the_sealed_moves(hall, two, bids):
    """Before, nobody sees them; afterwards everybody does, from each seat's view."""
    two[0].move(bids, [{"do": "bid", "amount": 3}])
    assert "Player 0 sealed a bid: hidden." in words(hall.client.get(f"/games/{bids}"))
    hall.play_out(bids, two)
    shown = words(hall.client.get(f"/games/{bids}"))
    assert "Player 0 sealed a bid: 3." in shown
    assert "hidden." not in shown.partition("What happened")[2]
    assert "View from the seat of Player 1" in words(hall.client.get(f"/games/{bids}?at=4&seat=1"))


@pytest.mark.slow
def test_the_page_shows_the_verdict_of_the_audit_and_its_command(hall, pig):
    """Once it is made; the API shows the same."""
    assert "own audit" not in words(hall.client.get(f"/games/{pig}"))
    assert hall.client.get(f"/v1/games/{pig}/audit").get_json()["verdict"] is None
    make_audit(hall.services, pig, hall.clock())
    shown = words(hall.client.get(f"/games/{pig}"))
    assert "audited this file on Saturday 21 November 2026, 10:00 UTC :" in shown
    assert "covered by the server's signed checkpoint. All checks passed." in shown
    assert "sealedmove audit FILE" in shown
    assert hall.client.get(f"/v1/games/{pig}/audit").get_json()["says"] in html.unescape(
        text(hall.client.get(f"/games/{pig}"))
    )


# --- nothing hidden -------------------------------------------------------------------------------------------------


def public_part(hall, game):
    """The page without the parts that differ by hash: the checkpoint and the pictures' addresses."""
    shown = text(hall.client.get(f"/games/{game}")).partition('id="record"')[0]
    return re.sub(r"(?:picture\.svg|preview\.png)\?[A-Za-z0-9_-]+", "", shown)


def twin(folder, amount):
    """The public page and picture of a game that is the same on every server, except for a sealed amount."""
    numbers, made = itertools.count(), harness(sqlite_url(folder / str(amount)))
    stream = lambda n: hashlib.shake_128(next(numbers).to_bytes(8)).digest(n)  # noqa: E731 - a stream in a line
    made = Harness(replace(made.services, random=stream), made.clock)
    people = [made.player(number) for number in range(2)]
    game = made.game("bids", people, clock=CLOCK)
    assert people[0].move(game, [{"do": "bid", "amount": amount}]).status_code == 201
    shown = public_part(made, game), made.client.get(f"/games/{game}/picture.svg").data
    made.services.database.dispose()
    return shown


@pytest.mark.slow
def test_a_hidden_bid_does_not_change_the_public_page(tmp_path):
    """Two servers that differ in a sealed amount alone show the same page and the same picture."""
    assert twin(tmp_path, 0) == twin(tmp_path, 9)


def test_a_token_does_not_change_a_page(hall, two, bids):
    """With a player's token the page is still the public one."""
    two[0].move(bids, [{"do": "bid", "amount": 7}])
    for path in (f"/games/{bids}", f"/games/{bids}/picture.svg", "/"):
        assert hall.client.get(path, headers=two[0].auth).data == hall.client.get(path).data


def test_a_signed_in_player_sees_their_own_seat(hall, two, bids):
    """Their own bid and that it is their turn, in answers that are not cached; another player sees nothing of it."""
    two[0].move(bids, [{"do": "bid", "amount": 7}])
    ada, ben = (signed_in(hall, number) for number in (0, 1))
    own, other = words(ada.get(f"/games/{bids}")), words(ben.get(f"/games/{bids}"))
    assert "Player 0 sealed a bid: 7." in own
    assert "Player 0 sealed a bid: hidden." in other
    assert "It is your turn" in other
    assert "It is your turn" not in own
    board = two[0].get(f"/games/{bids}/view").get_json()["board"]
    assert html.escape(board) in text(ada.get(f"/games/{bids}"))
    assert ada.get(f"/games/{bids}/picture.svg").data == two[0].get(f"/games/{bids}/picture").data
    for path in (f"/games/{bids}", f"/games/{bids}/picture.svg", f"/games/{bids}?at=3"):
        assert ada.get(path).headers["Cache-Control"] == "private, no-store"


def signed_in(hall, number):
    """A browser in which this player is signed in."""
    browser = hall.browser()
    browser.post("/login", data={"email": f"player{number}@example.org"})
    assert browser.post(f"/login/{hall.link(f'player{number}@example.org')}").status_code == 303
    return browser


def test_the_picture_has_a_tag(hall, two, bids):
    """The same tag gets 304 until the next entry."""
    first = hall.client.get(f"/games/{bids}/picture.svg")
    assert first.mimetype == "image/svg+xml"
    have = {"If-None-Match": first.headers["ETag"]}
    assert hall.client.get(f"/games/{bids}/picture.svg", headers=have).status_code == 304
    two[0].move(bids, [{"do": "bid", "amount": 7}])
    assert hall.client.get(f"/games/{bids}/picture.svg", headers=have).status_code == 200


def test_markup_in_a_name_is_shown_as_text(hall, two, bids):
    """A character that reverses the line is not shown."""
    rename(hall, two[0], "<script>\u202eA&da")
    for path in ("/", f"/games/{bids}"):
        shown = text(hall.client.get(path))
        assert "<script>" not in shown
        assert "&lt;script&gt; A&amp;da" in shown


# --- all pages ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(hall, link, bids, pig):
    """No inline script, style or handler, no foreign address, no cookie; the policy forbids the same."""
    stop = f"/u/{secrets.unsubscribe_token(MASTER, bids, 0, 1)}"
    for path in ("/", f"/games/{bids}", f"/games/{pig}", "/login", link, stop, "/nothing", "/v1/docs"):
        answer = hall.client.get(path)
        shown = text(answer)
        assert not re.search(
            r"<style|<script(?! src=\"/static)|\sstyle=|\son[a-z]+=|(src|href)=\"(https?:|//)", shown
        ), path
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "Set-Cookie" not in answer.headers
        for asset in re.findall('(?:src|href)="(/static/[^"]+)"', shown):
            with hall.client.get(asset) as file:
                assert file.status_code == 200


@pytest.mark.slow
def test_pages_are_well_formed(hall, link, bids, pig):
    """One main heading; every link within a page has its target; no id twice."""
    for path in ("/", f"/games/{bids}", f"/games/{pig}", "/login", link, "/nothing", "/v1/docs"):
        shown = text(hall.client.get(path))
        ids = re.findall(r'\sid="([^"]+)"', shown)
        assert shown.count("<h1") == 1
        assert len(ids) == len(set(ids)), path
        pointed = re.findall(r'(?:href="#|aria-labelledby="|aria-describedby="|<label for=")([^"]+)"', shown)
        assert set(pointed) <= set(ids), path


def test_an_error_is_a_page_for_people_and_a_problem_for_programs(hall):
    """With the same code."""
    nowhere = "00000000-0000-4000-8000-000000000000"
    page, problem = hall.client.get(f"/games/{nowhere}"), hall.client.get(f"/v1/games/{nowhere}")
    assert page.status_code == problem.status_code == 404
    assert "There is no game with this ID." in words(page)
    assert problem.mimetype == "application/problem+json"
    assert hall.client.delete("/").status_code == 405
    assert "Allow" in hall.client.delete("/").headers


# --- the API's page -------------------------------------------------------------------------------------------------


def test_the_api_page_has_every_operation(hall):
    """Each with its place and its form, with a field for every parameter."""
    document = hall.client.get("/v1/openapi.json").get_json()
    shown = text(hall.client.get("/v1/docs"))
    for path, item in document["paths"].items():
        for method in item.keys() & {"get", "post", "patch", "put", "delete"}:
            form = shown.partition(f'data-method="{method.upper()}" data-path="{path}"')[2].partition("</form>")[0]
            assert form, f"{method} {path}"
            for name in re.findall("{(.+?)}", path):
                assert f'name="{name}" data-in="path"' in form
            assert ("<textarea" in form) == ("requestBody" in item[method])


# --- limits ---------------------------------------------------------------------------------------------------------


def test_forms_have_the_budget_of_signing_in(tmp_path):
    """Beyond it the page says when to try again."""
    careful = harness(sqlite_url(tmp_path), limit_login="2/minute")
    answers = [careful.client.post(f"/login/{'A' * 43}") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [410, 410, 429]
    assert "Retry after the delay in Retry-After" in words(answers[2])
    assert int(answers[2].headers["Retry-After"]) > 0
    careful.services.database.dispose()
