"""Bots: their accounts, and tables that admit them or not."""

from pathlib import Path
from unittest.mock import Mock, call

import msgspec
import pytest
from click.testing import CliRunner

from server.accounts.bots import write as bots
from server.log import outbox, places
from server.operate import house_player_commands
from server.tables.limits import LIMITS
from tests.kit.absent import mentions
from tests.server.harness import BY, WHY, Harness, Player, seed_of, sqlite_url
from tests.server.test_limits import use
from tests.server.test_seats import running


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def signing_bot(house: Harness, name: str, token: str, account: int) -> Player:
    """A bot that signs with its own key."""
    made = Player(house, 100 + account, seed_of(name), token, account)
    assert made.post("/me/keys", {"jws": house.proof(made)}).status_code == 201
    return made


def bot_of(person: Player, name: str = "Deep") -> Player:
    made = person.post("/me/bots", {"name": name}).get_json()
    return signing_bot(person.harness, name, made["token"], made["id"])


def house_player(hall: Harness, name: str, level: str = "fair") -> Player:
    number, token = bots.create_house(hall.services, BY, name, level)
    return signing_bot(hall, name, token, number)


def sit(bot: Player, game: str, seat: int, *, says: bool = True, act: str = "join"):
    bot.seat = seat
    nonce = {"nonce": bot.nonce} if act == "join" else {}
    payload = bot.payload(game, act, **nonce, **bot.holder() | {"bot": says})
    return bot.act(game, act, bot.sign(payload))


def table(person: Player, **more) -> str:
    made = person.post("/games", {"type": "pig", "seats": 3, **more})
    assert made.status_code == 201, made.get_data(as_text=True)
    return made.get_json()["id"]


def seats(hall: Harness, game: str) -> list[dict]:
    return hall.client.get(f"/v1/games/{game}").get_json()["seats"]


@pytest.fixture
def operator(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """Run `sealedmove bot` with these words; returns its last line."""
    monkeypatch.setattr(house_player_commands.startup, "checked_settings", lambda **_: hall.services.settings)

    def run(*words: str):
        done = CliRunner().invoke(house_player_commands.main, words)
        assert done.exit_code == 0, done.output
        return msgspec.json.decode(done.output.splitlines()[-1])

    return run


def test_a_person_makes_renames_and_erases_bots(hall: Harness):
    """A token is shown once, and a new one replaces it."""
    person = hall.player(0)
    made = person.post("/me/bots", {"name": "Deep"})
    bot = made.get_json()
    path = made.headers["Location"].removeprefix("/v1")
    assert made.headers["Cache-Control"] == "no-store"
    shown = {key: bot[key] for key in ("id", "name", "created_at", "last_used_at")}
    assert shown["last_used_at"] is None
    assert person.get("/me/bots").get_json() == [shown]
    assert person.get(path).get_json() == shown
    new = person.post(f"{path}/token").get_json()["token"]
    old = hall.client.get("/v1/me", headers={"Authorization": f"Bearer {bot['token']}"})
    assert code(old) == (401, "bad-token")
    me = hall.client.get("/v1/me", headers={"Authorization": f"Bearer {new}"}).get_json()
    assert (me["id"], me["name"]) == (bot["id"], "Deep")
    assert person.get(path).get_json()["last_used_at"] == "2026-11-21T10:00:00Z"
    hall.client.patch(f"/v1{path}", json={"name": "Deeper"}, headers=person.auth)
    assert person.get(path).get_json()["name"] == "Deeper"
    assert hall.client.delete(f"/v1{path}", headers=person.auth).status_code == 204
    assert person.get("/me/bots").get_json() == []
    assert code(hall.client.get("/v1/me", headers={"Authorization": f"Bearer {new}"})) == (401, "bad-token")


def test_other_accounts_do_not_see_a_persons_bots(hall: Harness):
    """To them every request answers that there is no such bot."""
    bot, other = bot_of(hall.player(0)), hall.player(1)
    path = f"/v1/me/bots/{bot.account}"
    for method, way, body in (
        ("GET", "", None),
        ("PATCH", "", {"name": "x"}),
        ("DELETE", "", None),
        ("POST", "/token", {}),
    ):
        asked = hall.client.open(path + way, method=method, json=body, headers=other.auth)
        assert code(asked) == (404, "not-found")
    assert bot.get("/me").get_json()["name"] == "Deep"


def test_the_number_of_bots_is_limited_and_a_bot_has_no_bots(hall: Harness):
    """A person is responsible for each bot."""
    person = hall.player(0)
    first = bot_of(person)
    for number in range(1, LIMITS["bots"].most):
        assert person.post("/me/bots", {"name": f"bot {number}"}).status_code == 201
    assert code(person.post("/me/bots", {"name": "one more"})) == (409, "too-many")
    assert code(first.post("/me/bots", {"name": "mine"})) == (403, "bots-own-no-bots")
    assert len(person.get("/me/bots").get_json()) == LIMITS["bots"].most


def test_erasing_a_person_erases_their_bots(hall: Harness):
    """Otherwise nobody would be responsible for them."""
    person = hall.player(0)
    bot = bot_of(person)
    assert person.erase().status_code == 204
    assert code(bot.get("/me")) == (401, "bad-token")


def test_a_bot_has_its_own_budget(tmp_path, open_house):
    """All its tokens share it; its person and house players have others. Requests beyond it are refused."""
    hall = open_house(sqlite_url(tmp_path), limit_bot="4/hour")
    person, ada = hall.player(0), house_player(hall, "Ada")
    made = person.post("/me/bots", {"name": "Deep"}).get_json()
    bot = Player(hall, 101, seed_of("Deep"), made["token"], made["id"])
    assert [bot.get("/me").status_code for _ in range(3)] == [200] * 3
    bot.token = person.post(f"/me/bots/{bot.account}/token").get_json()["token"]
    assert bot.get("/me").status_code == 200
    refused = bot.post("/games", {"type": "pig", "seats": 2})
    assert code(refused) == (429, "too-many-requests")
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    assert hall.client.get("/v1/games").get_json()["games"] == []
    assert [one.get("/me").status_code for one in (person, ada) for _ in range(5)] == [200] * 10


def test_house_players_do_not_use_the_budget_of_their_address(tmp_path, open_house):
    """They all share one address, perhaps with people; each has the budget of its token."""
    hall = open_house(sqlite_url(tmp_path), limit_address="4/hour", limit_token="12/hour")
    ada, ben, person = house_player(hall, "Ada"), house_player(hall, "Ben"), hall.player(0)
    assert [one.get("/me").status_code for one in (ada, ben) for _ in range(8)] == [200] * 16
    assert [person.get("/me").status_code for _ in range(5)] == [200] * 4 + [429]
    assert hall.client.get("/v1/me", headers={"Authorization": "Bearer sm_none"}).status_code == 429
    assert ada.get("/me").status_code == 200
    assert 429 in [ada.get("/me").status_code for _ in range(4)]


@pytest.mark.parametrize("is_bot", [True, False])
def test_a_join_names_whether_the_account_is_a_bot(hall: Harness, is_bot: bool):
    """`bot` is true for a bot's account and for no other."""
    creator, player = hall.player(0), hall.player(1)
    sitting = bot_of(player) if is_bot else player
    game = table(creator)
    assert code(sit(sitting, game, 1, says=not is_bot)) == (422, "wrong-bot")
    assert seats(hall, game)[1]["name"] is None
    assert sit(sitting, game, 1, says=is_bot).status_code == 201
    assert seats(hall, game)[1]["bot"] is is_bot
    listed = hall.client.get("/v1/games").get_json()["games"][0]["seats"][1]
    assert listed["bot"] is is_bot


@pytest.mark.parametrize(("lets", "own", "of_house"), [("any", 201, 201), ("house", 403, 201), ("none", 403, 403)])
def test_a_table_admits_bots_or_refuses_them(hall: Harness, lets: str, own: int, of_house: int):
    """The creator chooses, and everybody can read it before joining."""
    game = table(hall.player(0), bots=lets)
    assert hall.client.get(f"/v1/games/{game}").get_json()["bots"] == lets
    assert [found["id"] for found in hall.client.get(f"/v1/games?bots={lets}").get_json()["games"]] == [game]
    assert sit(bot_of(hall.player(1)), game, 1).status_code == own
    assert sit(house_player(hall, "Ada"), game, 2).status_code == of_house


def test_people_and_their_bots_share_a_table_only_where_it_is_allowed(hall: Harness):
    """In either order; the same holds for two bots of one owner."""
    person, other = hall.player(0), hall.player(1)
    one, two = bot_of(person, "one"), bot_of(person, "two")
    game = table(other)
    assert sit(one, game, 0).status_code == 201
    assert code(sit(two, game, 1)) == (409, "same-owner")
    assert code(person.join(game, 1)) == (409, "same-owner")
    assert other.join(game, 2).status_code == 201
    friendly = table(other, related=True)
    assert [sit(one, friendly, 0).status_code, sit(two, friendly, 1).status_code] == [201, 201]
    assert person.join(friendly, 2).status_code == 201


@pytest.mark.parametrize("first", ["person", "bot"])
def test_a_person_and_their_bot_count_as_one_former_holder(hall: Harness, first: str):
    """Each knows what the other has seen, in either order; the same seat, or a table for related players, is open."""
    players = [hall.player(number) for number in range(3)]
    pair = [players[2], bot_of(players[2])]
    one, other = pair if first == "person" else pair[::-1]
    for related in (False, True):
        game = running(hall, players, related=related)
        players[1].offer(game)
        assert sit(one, game, 1, act="take", says=first == "bot").status_code == 201
        one.offer(game)
        assert players[1].take(game, 1).status_code == 201
        players[0].offer(game)
        taken = sit(other, game, 0, act="take", says=first == "person")
        assert (taken.status_code, taken.get_json().get("code")) == ((201, None) if related else (409, "same-owner"))
        if not related:
            players[1].offer(game)
            assert sit(other, game, 1, act="take", says=first == "person").status_code == 201


def test_a_bot_is_marked_wherever_its_name_appears(hall: Harness):
    """On pages and boards; the API leaves names unchanged and sends `bot` beside them."""
    creator = hall.player(0)
    bot = bot_of(hall.player(1))
    game = table(creator, seats=2)
    assert creator.join(game, 0).status_code == 201
    assert sit(bot, game, 1).status_code == 201
    assert [seat["name"] for seat in seats(hall, game)] == ["Player 0", "Deep"]
    page, front = (hall.client.get(path).get_data(as_text=True) for path in (f"/games/{game}", "/"))
    assert "<bdi>Deep (bot)</bdi>" in page
    assert "Deep (bot)" in front
    assert mentions("Deep", page) == page.count("Deep (bot)")
    assert "Deep (bot)" in creator.get(f"/games/{game}/view").get_json()["board"]
    assert [who.get("/me").get_json()["bot"] for who in (bot, creator)] == [True, False]


def test_a_bot_plays_at_a_limited_number_of_tables(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """It may join another when one is over."""
    monkeypatch.setitem(LIMITS, "bot_seats", LIMITS["bot_seats"]._replace(most=1))
    person, owner = hall.player(0), hall.player(1)
    bot = bot_of(owner)
    one, two = table(person), table(person)
    assert sit(bot, one, 1).status_code == 201
    assert code(sit(bot, two, 1)) == (409, "too-many")
    assert [use(player, "bot_seats") for player in (bot, owner, person)] == [(1, 1), (1, 1), (0, 1)]
    assert seats(hall, two)[1]["name"] is None
    bot.seat = 1
    assert bot.leave(one).status_code == 201
    assert sit(bot, two, 1).status_code == 201


def test_the_operator_makes_lists_and_erases_house_players(hall: Harness, tmp_path: Path, operator):
    """Their tokens are in a folder that only the operator may read."""
    said = operator("add", "Ada", "--level", "fair", *WHY)
    assert said["level"] == "fair"
    assert {key: said[key] for key in ("id", "name", "level")}.items() <= operator("list").items()
    for _ in range(2):
        operator("fill", str(tmp_path / "players"), "--each", "2", *WHY)
        kept = sorted((tmp_path / "players").glob("*/account"))
        found = [msgspec.json.decode(path.read_bytes()) for path in kept]
        assert sorted(one["level"] for one in found) == ["easy", "easy", "fair", "fair", "strong", "strong"]
        assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    me = hall.client.get("/v1/me", headers={"Authorization": f"Bearer {found[0]['token']}"}).get_json()
    assert (str(me["id"]), me["bot"]) == (found[0]["account"], True)
    operator("remove", str(said["id"]), *WHY)
    assert len(bots.house_players(hall.services)) == 5
    with pytest.raises(AssertionError, match="nothing with this number"):
        operator("remove", str(said["id"]), *WHY)


def test_tokens_in_use_are_not_replaced_by_filling_another_folder(hall: Harness, tmp_path: Path, operator):
    """The process that plays from the first folder would lose its accounts, unless the operator wishes it."""
    fill = lambda name, *more: operator("fill", str(tmp_path / name), "--each", "1", *more, *WHY)  # noqa: E731
    fill("one")
    held = [msgspec.json.decode(path.read_bytes()) for path in sorted((tmp_path / "one").glob("*/account"))]
    asked = lambda: {_status(hall, one["token"]) for one in held}  # noqa: E731 - a question in a line
    assert asked() == {200}
    with pytest.raises(AssertionError, match=f"the house players {', '.join(one['account'] for one in held)}"):
        fill("two")
    assert asked() == {200}
    assert not list((tmp_path / "two").iterdir())
    fill("two", "--replace-tokens")
    assert asked() == {401}


def _status(hall: Harness, token: str) -> int:
    return hall.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code


def test_an_account_has_a_limited_number_of_tables_with_house_players(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """Players invited with the table and players invited later both count; other people's tables do not."""
    monkeypatch.setattr(places, "MOST_HOUSE_TABLES", 1)
    creator, other = hall.player(0), hall.player(1)
    house_player(hall, "Ada")
    wish = [{"seat": 1, "level": "fair"}]
    game, bare = table(creator, house=wish), table(creator)
    beyond = creator.post("/games", {"type": "pig", "seats": 3, "house": wish})
    assert code(beyond) == (409, "too-many")
    assert code(creator.post(f"/games/{bare}/house", {"seat": 1, "level": "fair"})) == (409, "too-many")
    assert [seat["kept"] for seat in seats(hall, bare)] == [None, None, None]
    assert len(hall.client.get("/v1/games").get_json()["games"]) == 2
    table(other, house=wish)
    assert creator.post(f"/games/{game}/cancel").status_code == 201
    assert creator.post(f"/games/{bare}/house", {"seat": 1, "level": "fair"}).status_code == 201


def test_levels_are_listed_with_the_number_of_house_players(hall: Harness):
    """The weakest first; an erased account is not counted."""
    said = lambda: hall.client.get("/v1/house").get_json()  # noqa: E731 - a question in a line
    assert said() == {"levels": [], "tables": 16}
    made = [
        bots.create_house(hall.services, BY, *one)[0] for one in (("York", "fair"), ("Floyd", "easy"), ("Gass", "fair"))
    ]
    assert said()["levels"] == [{"level": "easy", "players": 1}, {"level": "fair", "players": 2}]
    bots.erase_house(hall.services, BY, made[0])
    assert said()["levels"] == [{"level": "easy", "players": 1}, {"level": "fair", "players": 1}]


def test_a_new_token_ends_the_streams_of_the_former_one(hall: Harness):
    """Streams check their token when they are woken; for a person's bot and for a house player."""
    person, (ada, _) = hall.player(0), bots.create_house(hall.services, BY, "Ada", "fair")
    bot = bot_of(person)
    object.__setattr__(hall.services, "waker", waker := Mock())
    assert person.post(f"/me/bots/{bot.account}/token").status_code == 201
    bots.rotate_house(hall.services, BY, ada)
    assert waker.wake.call_args_list == [call([], outbox.topics([one])) for one in (bot.account, ada)]


def test_no_house_player_is_made_whose_token_cannot_be_saved(hall: Harness, tmp_path: Path, operator):
    """Tables would invite it, and it would never come."""
    (tmp_path / "file").touch()
    for words in (("add", "Ada", "--level", "fair", "--into"), ("fill",)):
        with pytest.raises(AssertionError, match="nothing can be written to"):
            operator(*words, str(tmp_path / "file" / "players"), *WHY)
    assert bots.house_players(hall.services) == []
