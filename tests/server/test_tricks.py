"""Attacks by dishonest players and key thieves: each is refused with its code, and nothing changes.

The bounds are the record's (`engine.record.laws`) but for those that keep one account from using up what all share.
"""

import json
from dataclasses import replace

import pytest

from engine.record.audit import audit
from engine.record.laws.preconditions import MOST_KEYS, MOST_OFFERS, MOST_RECOVERIES, MOST_TAKES
from engine.record.signed import keys
from server.play.write import MOST_JOINS
from tests.server.harness import Harness, Player, seed_of
from tests.server.test_seats import BID, CLOCK, code, running, shown

RECOVERY = seed_of("in a drawer")


@pytest.fixture
def people(hall: Harness) -> list[Player]:
    """Ada and Ben play; Cy may come."""
    return [hall.player(number) for number in range(3)]


def jwk(seed: bytes) -> keys.Jwk:
    return keys.jwk(keys.public_of(seed))


def kid(seed: bytes) -> str:
    return keys.thumbprint(keys.public_of(seed))


def guarded(hall: Harness, people: list[Player]) -> str:
    """A game in which Ben has a recovery key."""
    wish = {"type": "bids", "seats": 2, "clock": CLOCK, "options": {"lots": 9}}
    game = people[0].post("/games", wish)
    game_id = str(game.get_json()["id"])
    assert people[0].join(game_id, 0).status_code == 201
    assert people[1].join(game_id, 1, recovery=RECOVERY).status_code == 201
    return game_id


def thief_of(player: Player) -> Player:
    """A thief with a copy of the key of this player's device, but no token."""
    return replace(player, token="")


# --- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_seventeenth_key_is_refused_and_no_drop_ever_is(hall: Harness, people: list[Player]):
    """Added, dropped, added: the number counts what was brought, so a log has an end."""
    game = running(hall, people)
    spares = [seed_of(f"spare {number}") for number in range(MOST_KEYS + 1)]
    for spare in spares[:-1]:
        assert people[0].rekey(game, add=jwk(spare)).status_code == 201
        assert people[0].rekey(game, drop=kid(spare)).status_code == 201
    before = hall.head(game)
    refused = people[0].rekey(game, add=jwk(spares[-1]))
    assert code(refused) == (409, "too-many-keys")
    assert refused.get_json()["facts"] == {"most": MOST_KEYS}
    assert hall.head(game) == before
    assert code(people[0].rekey(game, drop=people[0].kid)) == (409, "last-key")
    assert people[0].move(game, BID).status_code == 201


@pytest.mark.slow
def test_a_thief_cannot_lock_out_an_owner_with_a_recovery_key(hall: Harness, people: list[Player]):
    """A thief adds keys, drops the owner's and uses up every addition. One act of the recovery key ends all of it."""
    game = guarded(hall, people)
    owner, thief = people[1], thief_of(people[1])
    loot = [seed_of(f"loot {number}") for number in range(MOST_KEYS)]
    for one in loot:
        assert thief.rekey(game, add=jwk(one)).status_code == 201
    stolen, thief.seed = thief.seed, loot[0]
    assert thief.rekey(game, drop=kid(stolen)).status_code == 201
    assert code(thief.rekey(game, add=jwk(seed_of("more")))) == (409, "too-many-keys")
    assert code(thief.rekey(game, drop=kid(RECOVERY))) == (409, "not-a-key")
    assert code(thief.rekey(game, only=[jwk(loot[0])], recovery=jwk(seed_of("mine")))) == (403, "not-recovery")
    assert thief.offer(game).status_code == 201
    assert code(owner.move(game, BID)) == (401, "dropped-key")
    fresh = seed_of("a new phone")
    assert owner.rekey(game, by=RECOVERY, only=[jwk(fresh)]).status_code == 201
    assert shown(hall, game)["open"] is False
    assert code(thief.move(game, BID)) == (401, "dropped-key")
    owner.seed = fresh
    assert owner.move(game, BID).status_code == 201
    report = audit(hall.client.get(f"/v1/games/{game}/bundle").get_data())
    assert report.verdict == "open"
    assert len(report.recoveries) == 1


def test_a_recovery_key_neither_moves_nor_resigns_nor_adds_or_drops_a_key(hall: Harness, people: list[Player]):
    """It replaces the keys of the seat and offers the seat, and that is all."""
    game = guarded(hall, people)
    finder = replace(people[1], seed=RECOVERY)
    before = hall.head(game)
    assert code(finder.move(game, BID)) == (403, "recovery-only")
    assert code(finder.resign(game)) == (403, "recovery-only")
    assert code(finder.rekey(game, add=jwk(seed_of("x")))) == (403, "not-recovery")
    assert code(finder.rekey(game, drop=people[1].kid)) == (403, "not-recovery")
    assert hall.head(game) == before


def test_a_recovery_key_replaces_itself_and_the_old_one_is_worth_nothing(hall: Harness, people: list[Player]):
    """A drawer that was opened can be emptied."""
    game, new = guarded(hall, people), seed_of("another drawer")
    assert people[1].rekey(game, by=RECOVERY, recovery=jwk(new)).status_code == 201
    assert people[1].move(game, BID).status_code == 201
    only = [jwk(seed_of("x"))]
    assert code(people[1].rekey(game, by=RECOVERY, only=only)) == (401, "dropped-key")
    assert people[1].rekey(game, by=new, only=only).status_code == 201
    assert code(people[1].rekey(game, drop=people[1].kid)) == (401, "dropped-key")


def test_a_key_that_the_seat_has_is_brought_by_no_act_again(hall: Harness, people: list[Player]):
    """Neither as a device key nor as the recovery key; `only` alone may name device keys that stay."""
    game = guarded(hall, people)
    before = hall.head(game)
    same = people[1].rekey(game, add=people[1].jwk)
    assert code(same) == (409, "same-key")
    assert same.get_json()["facts"] == {"kid": people[1].kid}
    assert code(people[1].rekey(game, add=jwk(RECOVERY))) == (409, "same-key")
    assert code(people[1].rekey(game, by=RECOVERY, only=[jwk(RECOVERY)])) == (409, "same-key")
    assert code(people[1].rekey(game, by=RECOVERY, recovery=people[1].jwk)) == (409, "same-key")
    assert hall.head(game) == before
    assert people[1].rekey(game, by=RECOVERY, only=[people[1].jwk]).status_code == 201


@pytest.mark.slow
def test_the_seventeenth_recovery_is_refused(hall: Harness, people: list[Player]):
    """The log is bounded, whoever has the recovery code."""
    game, last = guarded(hall, people), RECOVERY
    for number in range(MOST_RECOVERIES):
        following = seed_of(f"recovery {number}")
        assert people[1].rekey(game, by=last, recovery=jwk(following)).status_code == 201
        last = following
    refused = people[1].rekey(game, by=last, recovery=jwk(seed_of("one more")))
    assert code(refused) == (409, "too-many-recoveries")
    assert refused.get_json()["facts"] == {"most": MOST_RECOVERIES}


def test_acts_of_a_dropped_key_are_refused_at_every_address(hall: Harness, people: list[Player]):
    """It was in force once, and signs no more: the log stays as it is."""
    game = running(hall, people)
    old, new = people[1].seed, seed_of("new")
    people[1].rekey(game, add=jwk(new))
    thief = thief_of(people[1])
    people[1].seed = new
    assert people[1].rekey(game, drop=kid(old)).status_code == 201
    before = hall.head(game)
    answers = [thief.move(game, BID), thief.offer(game), thief.resign(game), thief.rekey(game, add=jwk(seed_of("y")))]
    assert [code(answer) for answer in answers] == [(401, "dropped-key")] * 4
    assert hall.head(game) == before


def test_a_key_of_another_seat_signs_for_its_own_alone(hall: Harness, people: list[Player]):
    """The keys of an opponent and of a stranger are not keys of this seat."""
    game = running(hall, people)
    before = hall.head(game)
    posing = replace(people[0], seat=1)
    answers = [posing.move(game, BID), posing.offer(game)]
    assert [code(answer) for answer in answers] == [(403, "wrong-seat")] * 2
    assert answers[0].get_json()["facts"] == {"kid": people[0].kid, "seat": 1, "found": 0}
    assert code(replace(people[2], seat=1).move(game, BID)) == (401, "unknown-key")
    assert hall.head(game) == before


def test_a_rival_who_lists_my_key_takes_nothing_from_me(hall: Harness, people: list[Player]):
    """A listed key is one that the seat trusts: mine still signs for my seat, and the account stays at its own."""
    game = running(hall, people)
    assert people[0].rekey(game, add=people[1].jwk).status_code == 201
    assert people[1].move(game, BID).status_code == 201
    assert people[1].rekey(game, add=jwk(seed_of("another of mine"))).status_code == 201
    assert [shown(hall, game, seat)["name"] for seat in (0, 1)] == ["Player 0", "Player 1"]


# --- coming and going -----------------------------------------------------------------------------------------------


def test_an_account_joins_and_leaves_a_few_times_and_no_more(hall: Harness, people: list[Player]):
    """A game has a bound for all joins together: nobody uses it up alone."""
    game = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    for _ in range(MOST_JOINS):
        assert people[2].join(game, 1).status_code == 201
        assert people[2].leave(game).status_code == 201
    before = hall.head(game)
    refused = people[2].join(game, 1)
    assert code(refused) == (409, "joined-too-often")
    assert refused.get_json()["facts"] == {"most": MOST_JOINS}
    assert hall.head(game) == before
    assert people[1].join(game, 1).status_code == 201


def test_the_games_own_bound_of_joins_holds(hall: Harness, people: list[Player], monkeypatch):
    """It holds for any number of accounts; seated players can still leave."""
    monkeypatch.setattr("engine.record.laws.preconditions.MOST_JOINS", 3)
    game = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    for player in people:
        assert player.join(game, 0).status_code == 201
        assert player.leave(game).status_code == 201
    assert code(people[0].join(game, 0)) == (409, "too-many-joins")


def test_a_seat_is_opened_a_bounded_number_of_times_and_closed_as_often(hall: Harness, people: list[Player]):
    """Toggling fills the log up to here; the last offer can still be taken back."""
    game = running(hall, people)
    for _ in range(MOST_OFFERS):
        assert people[1].offer(game).status_code == 201
        assert people[1].offer(game, is_open=False).status_code == 201
    refused = people[1].offer(game)
    assert code(refused) == (409, "too-many-offers")
    assert refused.get_json()["facts"] == {"most": MOST_OFFERS}
    assert code(people[1].offer(game, is_open=False)) == (409, "same-offer")
    assert people[1].move(game, BID).status_code == 201


@pytest.mark.slow
def test_a_seat_goes_from_hand_to_hand_a_bounded_number_of_times(hall: Harness, people: list[Player]):
    """Two friends who pass it to and fro are stopped, and the last one keeps it."""
    game = running(hall, people)
    holder, other = people[1], people[2]
    for number in range(MOST_TAKES):
        assert holder.offer(game).status_code == 201
        other.new_key(f"take {number}")
        assert other.take(game, 1).status_code == 201
        holder, other = other, holder
    holder.offer(game)
    other.new_key("once more")
    refused = other.take(game, 1)
    assert code(refused) == (409, "too-many-takes")
    assert refused.get_json()["facts"] == {"most": MOST_TAKES}
    assert shown(hall, game)["kid"] == holder.kid
    assert holder.move(game, BID).status_code == 201


def test_a_seat_is_not_taken_twice_with_one_signature(hall: Harness, people: list[Player]):
    """Nor with one made for another place: given away, the seat comes back by a new act alone."""
    game = running(hall, people)
    people[1].offer(game)
    kept = people[2].sign(people[2].payload(game, "take", seat=1, **people[2].holder()))
    assert people[2].act(game, "take", kept).status_code == 201
    people[2].seat = 1
    people[2].offer(game)
    assert people[1].take(game, 1).status_code == 201
    people[1].offer(game)
    assert people[2].act(game, "take", kept).status_code == 200
    assert shown(hall, game)["kid"] == people[1].kid
    assert people[2].take(game, 1).status_code == 201


def test_a_player_who_resigned_takes_no_other_seat(hall: Harness):
    """They still hold it, and know its secrets."""
    players = [hall.player(number) for number in range(3)]
    game = hall.game("bids", players, clock=CLOCK)
    players[1].resign(game)
    players[2].offer(game)
    players[1].new_key("second")
    assert code(players[1].take(game, 2)) == (409, "already-seated")


# --- heads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", ["offer", "key", "take", "resign"])
def test_acts_on_other_heads_are_refused_with_where_they_went_wrong(hall: Harness, people: list[Player], act: str):
    """An old head with what was missed, a future or invented one without; nothing is logged."""
    game = running(hall, people)
    old = hall.head(game)
    assert people[1].offer(game).status_code == 201
    now, before = hall.head(game), hall.client.get(f"/v1/games/{game}/log").get_json()["entries"]

    def send(at: tuple[int, bytes]):
        body = {
            "offer": {"open_": False},
            "key": {"add": jwk(seed_of("new"))},
            "take": {"seat": 1, **people[2].holder()},
            "resign": {},
        }[act]
        player = people[2] if act == "take" else people[1]
        path = {"key": "keys"}.get(act, act)
        return player.act(game, path, player.sign(player.payload(game, act, at=at, **body)))

    stale = send(old)
    assert code(stale) == (409, "stale-head")
    assert [json.loads(line)["kind"] for line in stale.get_json()["entries"]] == ["offered"]
    for at in ((now[0] + 1, now[1]), (now[0] + 7, bytes(32)), (now[0], bytes(32)), (old[0], now[1]), (0, bytes(32))):
        refused = send(at)
        assert code(refused) == (409, "unknown-head")
        assert refused.get_json()["facts"]["expected"] == now[0]
    assert hall.client.get(f"/v1/games/{game}/log").get_json()["entries"] == before


def test_an_act_for_another_server_or_game_is_refused(hall: Harness, people: list[Player]):
    """A signature that was meant for elsewhere testifies for elsewhere."""
    game, other = running(hall, people), running(hall, people)
    before = hall.head(game)
    elsewhere = people[1].sign(people[1].payload(game, "offer", open_=True) | {"aud": "other.example"})
    assert code(people[1].act(game, "offer", elsewhere)) == (422, "wrong-audience")
    wrong = people[1].sign(people[1].payload(other, "offer", open_=True))
    assert code(people[1].act(game, "offer", wrong)) == (422, "wrong-game")
    take = people[2].sign(people[2].payload(game, "take", seat=64 - 1, **people[2].holder()))
    assert code(people[2].act(game, "take", take)) == (422, "no-such-seat")
    assert hall.head(game) == before


@pytest.mark.parametrize(
    ("path", "change", "wrong"),
    [
        ("offer", {"open": "yes"}, "bad-member"),
        ("offer", {"open": None}, "bad-member"),
        ("offer", {"more": 1}, "unknown-member"),
        ("take", {"bot": 0}, "bad-member"),
        ("take", {"recovery": "A" * 43}, "bad-jwk"),
        ("take", {"nonce": "A" * 43}, "unknown-member"),
        ("keys", {"drop": "A" * 43}, "bad-form"),
    ],
)
def test_a_payload_with_other_members_is_none(hall: Harness, people: list[Player], path, change, wrong):
    """Shape comes first, and says what is due."""
    game = running(hall, people)
    bodies = {"offer": {"open_": True}, "take": {"seat": 1, **people[2].holder()}, "keys": {"add": jwk(RECOVERY)}}
    player = people[2] if path == "take" else people[1]
    payload = player.payload(game, {"keys": "key"}.get(path, path), **bodies[path]) | change
    answer = player.act(game, path, keys.sign_jws(player.seed, payload))
    assert code(answer) == (400, wrong)
    assert answer.get_json()["detail"]


def test_each_act_has_its_own_address(hall: Harness, people: list[Player]):
    """A take sent as an offer is told what was expected."""
    game = running(hall, people)
    people[1].offer(game)
    answer = people[2].act(game, "offer", people[2].sign(people[2].payload(game, "take", seat=1, **people[2].holder())))
    assert code(answer) == (422, "wrong-act")
    assert answer.get_json()["facts"] == {"found": "take", "expected": "offer"}


def test_a_program_that_drops_each_key_that_the_owner_adds_keeps_no_seat(hall: Harness, people: list[Player]):
    """It follows the log with the stolen key until the limit is reached; then one act of the recovery key ends it."""
    game, owner = guarded(hall, people), people[1]
    added = 0
    while (answer := owner.rekey(game, add=jwk(seed_of(f"device {added}")))).status_code == 201:
        assert thief_of(owner).rekey(game, drop=kid(seed_of(f"device {added}"))).status_code == 201
        added += 1
    assert (added, code(answer)) == (16, (409, "too-many-keys"))
    assert owner.rekey(game, by=RECOVERY, only=[jwk(seed_of("fresh"))]).status_code == 201
    assert code(thief_of(owner).rekey(game, drop=kid(seed_of("fresh")))) == (401, "dropped-key")
    owner.seed = seed_of("fresh")
    assert owner.move(game, BID).status_code == 201
