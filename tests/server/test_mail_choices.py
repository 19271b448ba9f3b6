"""Mail settings over the API: read, changed, refused, and erased with the account."""

from __future__ import annotations

import sqlalchemy as sa

from server.kernel.db.models import MailChoice, MailException
from server.mailbox.choices import KINDS, NAMED_ALWAYS
from tests.server.boxes import code
from tests.server.harness import Harness, Player


def change(player: Player, given, path: str = "/me/mail", **headers: str):
    return player.harness.client.patch(f"/v1{path}", json=given, headers={**player.auth, **headers})


def test_by_default_players_get_every_mail_at_once(two: list[Player]):
    """As it was before there were settings."""
    shown = two[0].get("/me/mail").get_json()
    assert {shown[kind] for kind in KINDS} == {"on"}
    assert (shown["delay"], shown["remind"], shown["picture"], shown["on_site"], shown["quiet_from"]) == (
        0, "usual", True, True, None,
    )  # fmt: skip
    assert shown["always"] == list(NAMED_ALWAYS)
    assert {"login", "confirm", "waiting", "taken"} < set(shown["always"])


def test_a_change_affects_only_the_given_members(two: list[Player]):
    """And only the account that asks."""
    answer = change(two[0], {"turn": "digest", "quiet_from": "22:00", "quiet_until": "07:00", "hours": [3, 24, 3]})
    assert answer.status_code == 200
    assert change(two[0], {"delay": 15}).get_json() == two[0].get("/me/mail").get_json()
    shown = two[0].get("/me/mail").get_json()
    assert (shown["turn"], shown["quiet_until"], shown["hours"], shown["delay"]) == ("digest", "07:00", [24, 3], 15)
    assert two[1].get("/me/mail").get_json()["turn"] == "on"
    assert change(two[0], {"quiet_from": None, "quiet_until": None}).get_json()["quiet_from"] is None


def test_a_change_needs_the_current_tag(two: list[Player]):
    """Of two devices that change the settings at once the second is refused."""
    shown = two[0].get("/me/mail")
    known = {"If-Match": shown.headers["ETag"]}
    assert two[0].get("/me/mail", headers={"If-None-Match": shown.headers["ETag"]}).status_code == 304
    assert change(two[0], {"delay": 5}, **known).status_code == 200
    assert code(change(two[0], {"delay": 9}, **known)) == (412, "choices-changed")
    assert two[0].get("/me/mail").get_json()["delay"] == 5


def test_invalid_settings_are_refused_and_change_nothing(two: list[Player]):
    """Such as a fixed kind of mail, or an hour 24."""
    before = two[0].get("/me/mail").get_json()
    for wrong in (
        {"login": "off"}, {"taken": "off"}, {"turn": "no"}, {"delay": -1}, {"delay": 1441}, {"hours": []},
        {"hours": [0]}, {"hours": [1, 2, 3, 4, 5, 6]}, {"digest_hour": "24:00"}, {"digest_hour": "8:00"},
        {"digest_hour": "08:00\n"}, {"zone": "UTC"}, {"picture": "yes"},
    ):  # fmt: skip
        assert code(change(two[0], wrong)) == (422, "bad-fields"), wrong
    for wrong in ({"quiet_from": "22:00"}, {"quiet_from": "22:00", "quiet_until": "22:00"}):
        assert code(change(two[0], wrong)) == (422, "bad-quiet-hours")
    assert two[0].get("/me/mail").get_json() == before


def test_a_token_with_the_scope_read_changes_nothing(two: list[Player]):
    """It may read the settings."""
    reads = {"Authorization": f"Bearer {two[0].make_token('read')['token']}"}
    assert two[0].harness.client.get("/v1/me/mail", headers=reads).status_code == 200
    assert code(two[0].harness.client.patch("/v1/me/mail", json={"turn": "off"}, headers=reads)) == (
        403,
        "missing-scope",
    )
    assert two[0].get("/me/mail").get_json()["turn"] == "on"


def test_a_table_can_have_an_exception(hall: Harness, two: list[Player]):
    """`in_force` shows the effective setting; null removes the exception."""
    game = hall.game("pig", two)
    there = f"/me/mail/games/{game}"
    change(two[0], {"turn": "digest"})
    shown = change(two[0], {"turn": "on", "muted": True}, there).get_json()
    assert (shown["turn"], shown["muted"], shown["delay"]) == ("on", True, None)
    assert (shown["in_force"]["turn"], shown["in_force"]["over"]) == ("on", "on")
    tag = two[0].get(there).headers["ETag"]
    assert change(two[0], {"turn": None, "muted": False}, there, **{"If-Match": tag}).status_code == 200
    assert code(change(two[0], {"turn": "off"}, there, **{"If-Match": tag})) == (412, "choices-changed")
    assert two[0].get(there).get_json()["in_force"]["turn"] == "digest"
    with hall.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(MailException)) == 0


def test_only_players_have_settings_for_a_table(hall: Harness, two: list[Player]):
    """Others can neither read nor change them, nor learn whether the game exists."""
    game = hall.game("pig", two)
    stranger = hall.player(2)
    for path in (f"/me/mail/games/{game}", "/me/mail/games/00000000-0000-4000-8000-000000000000"):
        assert code(stranger.get(path)) == (403, "no-seat")
        assert code(change(stranger, {"turn": "off"}, path)) == (403, "no-seat")


def test_mail_settings_are_erased_with_the_account(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    change(two[0], {"turn": "off", "remind": "hours"})
    change(two[0], {"turn": "on"}, f"/me/mail/games/{game}")
    two[0].erase()
    with hall.services.database.read() as session:
        left = [session.scalar(sa.select(sa.func.count()).select_from(table)) for table in (MailChoice, MailException)]
    assert left == [0, 0]


def test_the_export_holds_mail_settings_without_the_calendars_secret(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    change(two[0], {"turn": "digest"})
    change(two[0], {"turn": "on"}, f"/me/mail/games/{game}")
    secret = two[0].post("/me/calendar").get_json()["url"].rpartition("=")[2]
    answer = two[0].get("/me/export")
    body = answer.get_json()
    assert [one["says"] for one in body["mail_choices"]] == ['{"turn":"digest"}']
    assert [(one["game_id"], one["says"]) for one in body["mail_exceptions"]] == [(game, '{"turn":"on"}')]
    assert len(body["calendar"]) == 1
    assert secret not in answer.get_data(as_text=True)
    assert two[1].get("/me/export").get_json()["mail_choices"] == []
