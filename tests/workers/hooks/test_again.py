"""Deliveries sent again or on request, and their log."""

import json

import sqlalchemy as sa
from prometheus_client import REGISTRY
from standardwebhooks.webhooks import Webhook

from server.hooks import numbering
from server.hooks import write as hooks
from server.kernel import quarantine
from server.kernel.db.models import AccountEvent, Hook, HookAnswer, HookDelivery
from server.kernel.operator_log import Operator
from tests.workers.hooks.post import ADA, BEN, BOTH, CY, last_number
from workers.hooks import feed, leases
from workers.hooks.delivery_policy import DeliveryPolicy


def test_a_ping_arrives_whatever_kinds_are_selected(post, house):
    """It names no game and waits for none."""
    hook = post.hook(kinds=["over"])
    number = hooks.ping(house.services, ADA, hook)
    (got,) = post.send()
    assert json.loads(got.body) == {"n": None, "kind": "ping", "hook": hook, "at": "2026-11-21T10:00:00Z"}
    assert got.headers["webhook-id"].startswith(f"h{hook}-p{number}-")
    assert post.states() == ["delivered"]


def test_a_ping_that_fails_is_tried_once(post, house):
    """Its owner sends another after fixing the receiver; it does not count against the hook."""
    hook = post.hook()
    post.receiver.answer = lambda _: 404
    hooks.ping(house.services, ADA, hook)
    post.send()
    assert post.states() == ["failed given-up"]
    assert post.one(hook).failing_since is None
    hooks.ping(house.services, ADA, hook)
    assert len(post.send()) == 1


def test_a_number_reused_after_a_restore_has_another_id(post, house):
    """A receiver that remembers ids loses nothing."""
    post.hook(kinds=["started"])
    house.game(clock=None)
    (first,) = post.send()
    with house.services.database.write() as session:
        session.execute(sa.delete(HookAnswer))
        session.execute(sa.delete(HookDelivery))
        session.execute(sa.update(Hook).values(cursor=0))
        session.execute(sa.update(AccountEvent).values(seq=AccountEvent.seq + 1))
    (again,) = post.send()
    assert json.loads(again.body)["n"] == json.loads(first.body)["n"]
    assert again.headers["webhook-id"] != first.headers["webhook-id"]


def test_a_repeated_delivery_has_the_same_id_and_bytes(post, house):
    """So that a receiver recognises it."""
    hook = post.hook(kinds=["started"])
    house.game(clock=None)
    (first,) = post.send()
    hooks.replay(house.services, ADA, hook, post.rows()[0].id)
    (again,) = post.send()
    assert (again.headers["webhook-id"], again.body) == (first.headers["webhook-id"], first.body)
    assert post.answers() == [204, 204]


@BOTH
def test_a_replay_sends_all_events_from_a_number_on(post, house):
    """In order, with those from before the hook was made, and nothing before that number."""
    game = house.game(clock=None, goal=100)
    hook = post.hook()
    house.play_default(game)
    post.send()
    hooks.replay_since(house.services, ADA, hook, 2)
    numbers = [json.loads(got.body)["n"] for got in post.send()]
    assert numbers == list(range(2, last_number(house, ADA) + 1))
    assert len(post.rows()) == len(numbers)


def test_a_replay_sends_what_the_webhook_wants_now(post, house):
    """Not the kinds that it wanted when they were first sent."""
    game = house.game(clock=None, goal=100)
    hook = post.hook()
    house.play_default(game)
    post.send()
    hooks.change(house.services, ADA, hook, {"kinds": ["started"]})
    hooks.replay_since(house.services, ADA, hook, 1)
    assert {json.loads(got.body)["kind"] for got in post.send()} == {"started"}


def test_a_hook_behind_the_stored_events_gets_a_reset(post, house):
    """As in a stream: one event `reset`, then the rest."""
    hook = post.hook()
    house.game(clock=None)
    numbering.number_hooked(house.services.database)
    with house.services.database.write() as session:
        session.execute(sa.delete(AccountEvent))
    (got,) = post.send()
    assert json.loads(got.body)["kind"] == "reset"
    assert post.one(hook).cursor == last_number(house, ADA)
    house.game(clock=None)
    assert "reset" not in str(post.told())


def test_both_secrets_sign_for_a_day_after_a_change(post, house):
    """Then only the new one."""
    from server.kernel.services import utc_now

    hook = post.hook()
    house.time = utc_now()
    new = hooks.rotate(house.services, ADA, hook)
    hooks.ping(house.services, ADA, hook)
    (got,) = post.send()
    for secret in (new, post.secrets[hook]):
        assert Webhook(secret).verify(got.body, got.headers)
    house.pass_time(days=1)
    hooks.ping(house.services, ADA, hook)
    (got,) = post.send()
    assert got.headers["webhook-signature"].count("v1,") == 1


@BOTH
def test_history_is_deleted_after_two_weeks(post, house):
    """Waiting deliveries are kept."""
    hook = post.hook(kinds=["started"])
    house.game(clock=None)
    post.send()
    hooks.change(house.services, ADA, hook, {"paused": True})
    house.pass_time(days=15)
    post.send()
    assert post.rows() == []
    assert post.answers() == []


@BOTH
def test_metrics_show_failures_and_paused_hooks(post, house):
    """Tries by result, waiting deliveries, and hooks by state."""
    before = _number("sealedmove_hook_tries_total", result="refused")
    paused, failing = post.hook(BEN), post.hook(ADA, kinds=["started"])
    post.hook(CY)
    hooks.change(house.services, BEN, paused, {"paused": True})
    house.game(clock=None)
    post.receiver.answer = lambda _: 500
    post.send()
    house.pass_time(seconds=1)
    post.send(DeliveryPolicy(most=0))
    assert post.one(failing).failing_since is not None
    assert _number("sealedmove_hook_tries_total", result="refused") == before + 1
    assert [_number("sealedmove_hooks", state=state) for state in ("running", "failing", "paused")] == [1, 1, 1]
    assert _number("sealedmove_hook_waiting") == 1


def _number(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


def test_a_webhook_whose_events_cannot_be_prepared_does_not_stop_the_others(post, house, monkeypatch):
    """It is set aside; before, nothing was sent to anybody."""
    broken, _ = post.hook(ADA), post.hook(BEN)
    house.game(clock=None)
    real = feed.feed
    monkeypatch.setattr(feed, "feed", lambda ctx, hook, policy: 1 // 0 if hook == broken else real(ctx, hook, policy))
    assert {told.partition(":")[0] for told in post.told()} == {str(BEN)}
    assert [(row["loop"], row["key"]) for row in quarantine.listed(house.services)] == [("hooks", str(broken))]


def test_a_delivery_whose_result_cannot_be_stored_does_not_stop_the_others(post, house, monkeypatch):
    """It is sent again later, as after a process that was killed."""
    broken, _ = post.hook(ADA), post.hook(BEN)
    house.game(clock=None)
    real = leases._note_taken

    def fails(session, done):
        return 1 // 0 if done.sending.hook_id == broken else real(session, done)

    monkeypatch.setattr(leases, "_note_taken", fails)
    assert {told.partition(":")[0] for told in post.told()} == {str(ADA), str(BEN)}
    assert {(row.hook_id == broken, row.state) for row in post.rows()} >= {(True, "leased"), (False, "delivered")}
    assert {row["loop"] for row in quarantine.listed(house.services)} == {"deliveries"}


@BOTH
def test_a_new_webhook_starts_without_the_troubles_of_a_deleted_one(post, house, monkeypatch):
    """SQLite gives it the same number, and its deliveries theirs; what was set aside of the old ones was never sent."""
    first = post.hook(kinds=["started"])
    hooks.ping(house.services, ADA, first)
    monkeypatch.setattr(leases, "_sending", lambda *_: 1 // 0)
    monkeypatch.setattr(feed, "feed", lambda *_: 1 // 0)
    house.game(clock=None)
    assert post.send() == []
    monkeypatch.undo()
    by = Operator("ops", "a test")
    for item in quarantine.listed(house.services):
        assert quarantine.drop(house.services, by, item["loop"], item["key"])
    hooks.delete(house.services, ADA, first)
    assert quarantine.listed(house.services) == []
    second = post.hook(kinds=["started"])
    hooks.ping(house.services, ADA, second)
    house.game(clock=None)
    assert sorted(json.loads(got.body)["kind"] for got in post.send()) == ["ping", "started"]


def test_the_answer_to_a_deleted_webhook_is_not_that_of_a_new_one(post, house):
    """SQLite gives the new one and its delivery the same numbers."""
    hooks.ping(house.services, ADA, post.hook())

    def replaced(_):
        post.receiver.answer = lambda _: 200
        hooks.delete(house.services, ADA, post.rows(Hook)[0].id)
        hooks.ping(house.services, ADA, post.hook())
        return 200

    house.pass_time(seconds=1)
    post.receiver.answer = replaced
    first, second = post.send()
    assert first.headers["webhook-signature"] != second.headers["webhook-signature"]
    assert post.states() == ["delivered"]
