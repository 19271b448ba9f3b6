"""A mailed link gives access but destroys nothing: acts that cannot be undone are signed, or wait for seven days."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from unittest.mock import Mock, call

import pytest
import sqlalchemy as sa

from engine.record.signed import keys
from server.accounts import address, waiting_act_effects, waiting_acts
from server.accounts import write as accounts
from server.accounts.keys import write as account_keys
from server.accounts.statements import AccountAct
from server.kernel.db.models import Account, AccountKey, ApiToken, Holiday, Hook, MailChoice, Outbox, WaitingAct
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import outbox
from server.mailbox import write as mail_settings
from server.tables.calendar import holidays
from tests.server import boxes
from tests.server.boxes import code
from tests.server.harness import HOST, Harness, Player, seed_of

RECOVERY = seed_of("recovery")
SECOND = seed_of("a second device")


def kid(seed: bytes) -> str:
    return keys.thumbprint(keys.public_of(seed))


def register(player: Player, seed: bytes) -> Any:
    """Register a further key, as the signed-in account."""
    return player.post("/me/keys", {"jws": player.harness.proof(player, seed)})


def counting(player: Player) -> dict[str, bool]:
    return {one["kid"]: one["counts"] for one in player.get("/me/keys").get_json()}


def waits(player: Player) -> list[tuple[str, str]]:
    return [(one["act"], one["about"]) for one in player.get("/me/waiting").get_json()]


def is_erased(player: Player) -> bool:
    with player.harness.services.database.read() as session:
        return session.get_one(Account, player.account).erased_at is not None


def week(hall: Harness) -> list[int]:
    """Move the clock on by seven days."""
    hall.clock.forward(days=7)
    return carried_out(hall)


def carried_out(hall: Harness) -> list[int]:
    with hall.services.database.read() as session:
        due = session.scalars(waiting_acts.due(hall.clock())).all()
    return [number for number in due if waiting_act_effects.carry_out(hall.services, number)]


# --- statements -------------------------------------------------------------------------------------------------------


def test_a_statement_erases_at_once_and_works_once(two: list[Player]):
    """By a key of the account."""
    proof = two[0].prove("erase")
    assert two[0].delete("/me", **proof).status_code == 204
    assert is_erased(two[0])


WRONG = {
    "another act": ({"act": "token"}, 422, "wrong-statement"),
    "another account": ({"account": 99}, 422, "wrong-statement"),
    "about something": ({"about": "me"}, 422, "wrong-statement"),
    "another time": ({"at": "2026-11-21T10:00:01Z"}, 422, "wrong-statement"),
    "another server": ({"aud": "elsewhere.example"}, 422, "wrong-audience"),
    "a nonce of nobody": ({"nonce": "A" * 43}, 409, "bad-challenge"),
    "a member more": ({"more": 1}, 400, "bad-form"),
    "a stranger's key": ({"by": seed_of("stranger")}, 403, "unregistered-key"),
    "the recovery key": ({"by": RECOVERY}, 403, "unregistered-key"),
}


def test_a_statement_about_something_else_is_refused(two: list[Player]):
    """Each member and the signer are checked; the recovery key only signs about keys and backups."""
    boxes.put(two[0], RECOVERY)
    for wrong, (changed, *refusal) in WRONG.items():
        assert code(two[0].delete("/me", **two[0].prove("erase", **changed))) == tuple(refusal), wrong
    of_other = two[1].prove("erase", account=two[0].account)
    assert code(two[0].delete("/me", **of_other)) == (403, "unregistered-key")
    assert not is_erased(two[0])
    assert waits(two[0]) == []


def test_a_statement_is_not_an_act_of_a_game_or_a_registration(two: list[Player]):
    """Its type names its one purpose."""
    given = two[0].post("/me/keys/challenge").get_json()
    payload = {"v": 1, "aud": HOST, "act": "erase", "account": two[0].account, "about": "", **given}
    for typ in ("sealedmove+jws", "sealedmove-key+jws"):
        header = {"Sealed-Move-Proof": keys.sign_jws(two[0].seed, payload, typ=typ)}
        assert code(two[0].delete("/me", **header)) == (400, "bad-typ")
    assert not is_erased(two[0])


def test_a_statement_is_valid_for_ten_minutes_and_one_act(two: list[Player]):
    """By the server's clock, whatever the device's says."""
    register(two[0], SECOND)
    late = two[0].prove("drop-key", kid(SECOND))
    two[0].harness.clock.forward(minutes=10)
    assert code(two[0].delete(f"/me/keys/{kid(SECOND)}", **late)) == (409, "bad-challenge")
    proof = two[0].prove("token", "account")
    made = {"name": "a program", "scopes": ["account"]}
    assert two[0].post("/me/tokens", made, headers=proof).status_code == 201
    assert code(two[0].post("/me/tokens", made, headers=proof)) == (409, "bad-challenge")


# --- what waits -------------------------------------------------------------------------------------------------------


def test_an_unsigned_erasure_waits_seven_days(hall: Harness, two: list[Player]):
    """It is listed, announced once however often it is requested, and carried out not a second earlier."""
    assert code(two[0].delete("/me")) == (403, "unsigned-act")
    first, again = (two[0].post("/me/waiting", {"act": "erase"}) for _ in range(2))
    assert (first.status_code, first.get_json()) == (202, again.get_json())
    assert waits(two[0]) == [("erase", "")]
    hall.clock.forward(days=7, seconds=-1)
    assert carried_out(hall) == []
    assert not is_erased(two[0])
    hall.clock.forward(seconds=1)
    assert carried_out(hall) == [first.get_json()["id"]]
    assert is_erased(two[0])
    assert not is_erased(two[1])


def test_anyone_signed_in_to_the_account_can_cancel_a_waiting_act(hall: Harness, two: list[Player]):
    """Without a signature, on every device; nobody else can."""
    number = two[0].post("/me/waiting", {"act": "erase"}).get_json()["id"]
    assert code(two[1].delete(f"/me/waiting/{number}")) == (404, "not-found")
    assert two[0].delete(f"/me/waiting/{number}").status_code == 204
    assert code(two[0].delete(f"/me/waiting/{number}")) == (404, "not-found")
    assert week(hall) == []
    assert not is_erased(two[0])


def test_a_key_is_removed_by_a_signature_or_after_seven_days(hall: Harness, two: list[Player]):
    """Access to a player's mail is not enough to remove their keys."""
    assert code(two[0].delete(f"/me/keys/{two[0].kid}")) == (403, "unsigned-act")
    assert code(two[0].post("/me/waiting", {"act": "drop-key", "about": two[1].kid})) == (404, "not-found")
    assert two[0].post("/me/waiting", {"act": "drop-key", "about": two[0].kid}).status_code == 202
    assert counting(two[0]) == {two[0].kid: True}
    week(hall)
    assert counting(two[0]) == {}
    assert two[1].delete(f"/me/keys/{two[1].kid}", **two[1].prove("drop-key", two[1].kid)).status_code == 204
    assert counting(two[1]) == {}


def test_two_clocks_carry_out_a_waiting_act_once(hall: Harness, two: list[Player]):
    """The act and its end are one transaction: after a kill the next clock finds it unchanged."""
    number = two[0].post("/me/waiting", {"act": "erase"}).get_json()["id"]
    hall.clock.forward(days=7)

    class Killed(BaseException):
        pass

    def dies(*given: Any) -> bool:
        waiting_act_effects.EFFECTS["erase"](*given)
        raise Killed

    with pytest.raises(Killed):
        waiting_acts.carry_out(hall.services, number, {"erase": dies})
    assert not is_erased(two[0])
    assert [carried_out(hall) for _ in range(2)] == [[number], []]
    assert is_erased(two[0])


def test_a_token_of_scope_account_needs_a_signature(two: list[Player]):
    """Otherwise an hour's access to the mail would give lasting access; narrower scopes need no signature."""
    wide, narrow = ({"name": "n", "scopes": scopes} for scopes in (["account", "read"], ["read", "play"]))
    assert code(two[0].post("/me/tokens", wide)) == (403, "unsigned-act")
    other = two[0].prove("token", "account")
    assert code(two[0].post("/me/tokens", wide, headers=other)) == (422, "wrong-statement")
    assert two[0].post("/me/tokens", wide, headers=two[0].prove("token", "account read")).status_code == 201
    assert two[0].post("/me/tokens", narrow).status_code == 201


def test_concurrent_clocks_carry_out_an_act_once(any_hall: Harness):
    """Each reads the act again under the lock of its row."""
    player = any_hall.player(0)
    number = player.post("/me/waiting", {"act": "drop-key", "about": player.kid}).get_json()["id"]
    any_hall.clock.forward(days=7)
    with ThreadPoolExecutor(4) as clocks:
        done = list(clocks.map(lambda _: waiting_act_effects.carry_out(any_hall.services, number), range(4)))
    assert sorted(done) == [False, False, False, True]
    assert counting(player) == {}


# --- which keys count -------------------------------------------------------------------------------------------------


def test_a_key_registered_through_a_mail_alone_does_not_count(hall: Harness, two: list[Player]):
    """Otherwise any reader of the mail could sign; it counts after seven days."""
    register(two[0], SECOND)
    assert counting(two[0]) == {two[0].kid: True, kid(SECOND): False}
    assert code(two[0].delete("/me", **two[0].prove("erase", by=SECOND))) == (403, "new-key")
    assert waits(two[0]) == [("let-in", kid(SECOND))]
    week(hall)
    assert counting(two[0])[kid(SECOND)]
    assert two[0].delete("/me", **two[0].prove("erase", by=SECOND)).status_code == 204


def test_a_key_shows_the_session_that_registered_it_last(hall: Harness, two: list[Player]):
    """So a person who ends the session of a lost device can drop its key; a program's key has no session."""
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    own = {
        "Sec-Fetch-Site": "same-origin",
        "Sec-Fetch-Mode": "cors",
        "Sec-Fetch-Dest": "empty",
        "X-Sealed-Move": "page",
    }
    sent = {"json": {"jws": hall.proof(two[0], SECOND)}, "headers": own}
    made = browser.post("/v1/me/keys", **sent)
    number = browser.get("/v1/me/sessions", headers=own).get_json()[0]["id"]
    assert (made.status_code, made.get_json()["session"]) == (201, number)
    assert [one["session"] for one in two[0].get("/me/keys").get_json()] == [None, number]
    page = browser.get("/account").get_data(as_text=True)
    assert f'href="#key-{kid(SECOND)}"' in page
    assert f'id="key-{kid(SECOND)}"' in page


def test_a_cancelled_key_is_deleted(hall: Harness, two: list[Player]):
    """By one button on the banner; a key that counts is not deleted by it."""
    register(two[0], SECOND)
    number = two[0].get("/me/waiting").get_json()[0]["id"]
    assert two[0].delete(f"/me/waiting/{number}").status_code == 204
    assert counting(two[0]) == {two[0].kid: True}
    assert week(hall) == []


@pytest.mark.parametrize("by", ["first device", "recovery key"])
def test_a_second_device_is_approved_by_the_first_or_by_the_code(two: list[Player], by: str):
    """By a signature about its very thumbprint; then nothing waits."""
    boxes.put(two[0], RECOVERY)
    register(two[0], SECOND)
    signer = RECOVERY if by == "recovery key" else two[0].seed
    path = f"/me/keys/{kid(SECOND)}/let-in"
    assert code(two[0].post(path)) == (403, "unsigned-act")
    assert code(two[0].post(path, headers=two[0].prove("let-in", kid(SECOND), by=SECOND))) == (403, "new-key")
    assert code(two[0].post(path, headers=two[0].prove("let-in", two[0].kid))) == (422, "wrong-statement")
    assert not counting(two[0])[kid(SECOND)]
    assert two[0].post(path, headers=two[0].prove("let-in", kid(SECOND), by=signer)).get_json()["counts"]
    assert waits(two[0]) == []


def test_a_request_for_approval_lasts_ten_minutes(two: list[Player]):
    """Registering the same key again renews it."""
    register(two[0], SECOND)
    two[0].harness.clock.forward(minutes=10)
    path = f"/me/keys/{kid(SECOND)}/let-in"
    assert code(two[0].post(path, headers=two[0].prove("let-in", kid(SECOND)))) == (410, "asked-too-long-ago")
    assert not counting(two[0])[kid(SECOND)]
    register(two[0], SECOND)
    assert two[0].post(path, headers=two[0].prove("let-in", kid(SECOND))).status_code == 200


def test_the_only_key_of_an_account_with_a_box_does_not_count_at_once(two: list[Player]):
    """All devices are lost but the code is not: only the backup guards the account."""
    boxes.put(two[0], RECOVERY)
    two[0].delete(f"/me/keys/{two[0].kid}", **two[0].prove("drop-key", two[0].kid))
    register(two[0], SECOND)
    assert counting(two[0]) == {kid(SECOND): False}
    assert code(register(two[0], RECOVERY)) == (409, "key-owned")


# --- one button -------------------------------------------------------------------------------------------------------


def test_one_button_ends_all_other_access(hall: Harness, two: list[Player]):
    """Tokens, webhooks, a mailed link, waiting acts, a bot's token; keys and seats stay."""
    game = hall.game("pig", two)
    bot = two[0].post("/me/bots", {"name": "Deep"}).get_json()["token"]
    two[0].post("/me/hooks", {"url": "https://hook.example/x", "name": "h"})
    two[0].post("/me/waiting", {"act": "erase"})
    hall.client.post("/v1/login", json={"email": "player0@example.org"})
    assert two[0].post("/me/end-all").status_code == 204
    for token in (two[0].token, bot):
        assert code(hall.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})) == (401, "bad-token")
    link = hall.link("player0@example.org")
    assert code(hall.client.post("/v1/login/confirm", json={"token": link})) == (410, "bad-link")
    with hall.services.database.read() as session:
        count = partial(
            lambda table, *where: session.scalar(sa.select(sa.func.count()).select_from(table).where(*where))
        )
        assert count(Hook, Hook.account_id == two[0].account) == 0
        assert count(WaitingAct, WaitingAct.ended_at.is_(None)) == 0
        assert count(AccountKey, AccountKey.account_id == two[0].account) == 1
        assert count(ApiToken, ApiToken.account_id == two[1].account, ApiToken.revoked_at.is_(None)) == 1
    assert two[0].resign(game).status_code == 201
    assert accounts.end_all(hall.services, two[0].account) is None


LATE: dict[str, Callable[[Services, int, str], Any]] = {
    "a name": lambda services, whose, _: accounts.change_account(services, whose, {"name": "Ada"}),
    "an address": lambda services, whose, _: address.request_change(services, whose, "ada@new.example", None),
    "a key": account_keys.register,
    "a waiting act": lambda services, whose, _: waiting_acts.request_unsigned(services, AccountAct(whose, "erase")),
    "mail settings": lambda services, whose, _: mail_settings.change_choices(services, whose, {"picture": False}),
    "a holiday": lambda services, whose, _: holidays.announce(services, whose, None, 3),
}


def test_a_request_under_way_leaves_nothing_at_an_erased_account(hall: Harness, two: list[Player]):
    """It was authorized before, and waited for the account's lock."""
    whose, proof = two[0].account, hall.proof(two[0], SECOND)
    accounts.erase_account(hall.services, whose)
    for name, ask in LATE.items():
        with pytest.raises(Problem) as no:
            ask(hall.services, whose, proof)
        assert no.value.code == "not-signed-in", name
    with hall.services.database.read() as session:
        assert session.get_one(Account, whose).name == "Deleted account"
        for table in (AccountKey, Holiday, MailChoice, WaitingAct):
            assert session.scalar(sa.select(sa.func.count()).where(table.account_id == whose)) == 0


# --- wakes ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def woken(hall: Harness) -> Mock:
    """The accounts woken after a commit, which do not wait for the sweeper or the clock."""
    waker = Mock()
    object.__setattr__(hall.services, "waker", waker)
    return waker


def test_a_request_for_approval_is_mailed_at_once(hall: Harness, two: list[Player], woken: Mock):
    register(two[0], SECOND)
    with hall.services.database.read() as session:
        rows = list(session.scalars(sa.select(Outbox.id).where(Outbox.kind == "waiting")))
    assert call(rows) in woken.wake.call_args_list
    assert len(rows) == 1


def test_revoking_a_token_ends_its_streams_at_once(two: list[Player], woken: Mock):
    """Streams check their token when they are woken."""
    token = two[0].make_token("read")
    woken.reset_mock()
    assert two[0].delete(f"/me/tokens/{token['id']}").status_code == 204
    assert woken.wake.call_args_list == [call([], outbox.topics([two[0].account]))]
