"""Every verb around tables: sent twice, sent twice at once, and killed before any of its statements or its commit.

The whole database is compared, without what another run draws or counts differently. A verb that is killed has changed
nothing, and one that is repeated has the result of one request.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from server.accounts.bots import write as bots
from server.kernel.db.models import Base
from server.play.write import expire
from server.tables.after import consents
from server.tables.hosting import write as hosting
from server.tables.invitations.write import close_old
from tests.server.harness import BY, Harness, Player, sqlite_url
from tests.server.kills import KilledError, killed_at
from tests.server.test_deadlines import CLOCK
from tests.server.test_races import together

pytestmark = pytest.mark.slow
MOST = 200
DRAWN = {"id", "n", "events", "place_id", "about_seq", "secret_r", "handle", "message_n", "read_n"}
# What a request for itself writes, whatever it asks for.
OF_REQUESTS = {"quota", "api_token", "web_session", "beat", "own_key", "alembic_version"}
GAME = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
REQUEST = re.compile(r"^[0-9a-f]{32}$")  # the number of the request that wrote the row
Act = Callable[[], object]
State = Counter[tuple[str, ...]]
Change = tuple[list[tuple[str, ...]], list[tuple[str, ...]]]


class Scene:
    """A table of a host and a guest, with a third player who has no seat."""

    def __init__(self, hall: Harness) -> None:
        self.hall = hall
        self.host, self.guest, self.third = self.people = [hall.player(number) for number in range(3)]
        self.game = ""

    def lobby(self, **more: Any) -> Scene:
        made = self.host.post("/games", {"type": "pig", "seats": 4, **more})
        self.game = made.get_json()["id"]
        for seat, player in enumerate(self.people[:2]):
            assert player.join(self.game, seat).status_code == 201
        return self

    def running(self, **more: Any) -> Scene:
        chosen = {"clock": CLOCK, "host_pause": 14, "options": {"lots": 3}, **more}
        self.game = self.hall.game("bids", self.people[:2], **chosen)
        return self

    def finished(self) -> Scene:
        self.game = self.hall.game("bids", self.people[:2], options={"lots": 2})
        self.hall.play_out(self.game, self.people[:2])
        return self

    def sends(self, player: Player, method: str, path: str, body: Any = None) -> Act:
        """A request of the API that is the same each time; below the game if the path has no slash in front."""
        path = f"/v1{path}" if path.startswith("/") else f"/v1/games/{self.game}/{path}"
        headers = {**player.auth, "Idempotency-Key": "the same"}

        def call() -> object:
            client = self.hall.app.test_client(use_cookies=False)
            return getattr(client, method)(path, json=body, headers=headers).status_code

        return call

    def signs(self, player: Player, path: str, act: str, **body: Any) -> Act:
        """An act that is signed now."""
        return self.sends(player, "post", path, {"jws": player.sign(player.payload(self.game, act, **body))})

    def does(self, verb: Callable[..., object]) -> Act:
        """A verb of the clock."""
        return partial(verb, self.hall.services, self.game)

    def later(self, **span: int) -> Scene:
        self.hall.clock.forward(**span)
        return self

    def invited(self) -> int:
        made = self.host.post(f"/games/{self.game}/invitations", {"to": self.handle(self.third)})
        return int(made.get_json()["id"])

    def handle(self, player: Player) -> str:
        return str(player.get("/me").get_json()["handle"])

    def house_player(self) -> Scene:
        bots.create_house(self.hall.services, BY, "York", "fair")
        return self


def joins(scene: Scene) -> Act:
    new = scene.lobby().third
    return scene.signs(new, "join", "join", seat=2, nonce=new.nonce, **new.holder())


def takes(scene: Scene) -> Act:
    scene.running().guest.offer(scene.game)
    return scene.signs(scene.third, "take", "take", seat=1, **scene.third.holder())


def moves(scene: Scene) -> Act:
    body = scene.running().host.signed_move(scene.game, [{"do": "bid", "amount": 0}])
    return scene.sends(scene.host, "post", "moves", body)


def removes(scene: Scene) -> Act:
    return scene.lobby().sends(scene.host, "delete", "seats/1?since=2")


def declines(scene: Scene) -> Act:
    path = f"/me/invitations/{scene.lobby().invited()}/decline"
    return scene.sends(scene.third, "post", path, {"never": "host"})


def withdraws(scene: Scene) -> Act:
    return scene.sends(scene.host, "delete", f"invitations/{scene.lobby().invited()}")


def closes(scene: Scene) -> Act:
    scene.lobby().invited()
    scene.later(days=14)
    return partial(close_old, scene.hall.services)


def starts(scene: Scene) -> Act:
    scene.game = scene.host.post("/games", {"type": "pig", "seats": 2, "start": "ready"}).get_json()["id"]
    for seat, player in enumerate(scene.people[:2]):
        player.join(scene.game, seat)
    scene.sends(scene.host, "put", "ready", {"ready": True})()
    return scene.sends(scene.guest, "put", "ready", {"ready": True})


def resumes(scene: Scene) -> Act:
    pauses(scene)()
    return scene.sends(scene.host, "delete", "pause")


def pauses(scene: Scene) -> Act:
    return scene.running().sends(scene.host, "post", "pause", {"until": "2026-11-25T10:00:00Z"})


def wishes(scene: Scene) -> Act:
    return scene.running().sends(scene.host, "put", "consents/cancel")


def agrees(scene: Scene) -> Act:
    wishes(scene)()
    return scene.sends(scene.guest, "put", "consents/cancel")


def objects(scene: Scene) -> Act:
    wishes(scene)()
    return scene.sends(scene.guest, "delete", "consents/cancel")


def settles(scene: Scene) -> Act:
    wishes(scene)()
    return scene.later(days=7).does(consents.settle)


def expires(scene: Scene) -> Act:
    scene.running().later(days=30)
    return partial(expire, scene.hall.services, scene.game, 0)


UNTIL = {"until": "2026-12-01T10:00:00Z"}


def wishes_pause(scene: Scene) -> Act:
    return scene.running().sends(scene.host, "put", "consents/pause", UNTIL)


def agrees_to_pause(scene: Scene) -> Act:
    wishes_pause(scene)()
    return scene.sends(scene.guest, "put", "consents/pause", UNTIL)


def objects_to_pause(scene: Scene) -> Act:
    wishes_pause(scene)()
    return scene.sends(scene.guest, "delete", "consents/pause")


def says(scene: Scene) -> Act:
    return scene.running().sends(scene.host, "post", "talk", {"text": "Good luck!"})


def takes_back(scene: Scene) -> Act:
    says(scene)()
    return scene.sends(scene.host, "delete", "talk/1")


def reports_words(scene: Scene) -> Act:
    says(scene)()
    return scene.sends(scene.guest, "post", "talk/1/report", {"why": "An insult."})


def sees(scene: Scene) -> Act:
    says(scene)()
    return scene.sends(scene.guest, "put", "talk/seen", {"n": 1})


def mutes(scene: Scene) -> Act:
    return scene.running().sends(scene.host, "put", "mutes/1")


def unmutes(scene: Scene) -> Act:
    mutes(scene)()
    return scene.sends(scene.host, "delete", "mutes/1")


def blocks(scene: Scene) -> Act:
    return scene.running().sends(scene.host, "put", f"/me/blocks/{scene.handle(scene.guest)}")


def unblocks(scene: Scene) -> Act:
    blocks(scene)()
    return scene.sends(scene.host, "delete", f"/me/blocks/{scene.handle(scene.guest)}")


def reports(scene: Scene) -> Act:
    about = scene.running().handle(scene.guest)
    return scene.sends(scene.host, "post", "/reports", {"handle": about, "why": "Leaves every game."})


def rematches(scene: Scene) -> Act:
    return scene.finished().sends(scene.host, "post", "rematch")


def invites_house(scene: Scene) -> Act:
    return scene.house_player().lobby().sends(scene.host, "post", "house", {"seat": 2, "level": "fair"})


def withdraws_house(scene: Scene) -> Act:
    invites_house(scene)()
    return scene.sends(scene.host, "delete", "house/2")


GRANT = {"seats": [1], "seconds": 3600}
VERBS: dict[str, Callable[[Scene], Act]] = {
    "open": lambda scene: scene.sends(scene.host, "post", "/games", {"type": "pig", "seats": 3}),
    "join": joins,
    "leave": lambda scene: scene.lobby().signs(scene.guest, "leave", "leave"),
    "invite by handle": lambda scene: scene.lobby().sends(
        scene.host, "post", "invitations", {"to": scene.handle(scene.third)}
    ),
    "invite by address": lambda scene: scene.lobby().sends(
        scene.host, "post", "invitations", {"to": "new@example.org"}
    ),
    "withdraw": withdraws,
    "decline": declines,
    "close": closes,
    "invite a house player": invites_house,
    "withdraw a house player": withdraws_house,
    "remove": removes,
    "pass on": lambda scene: scene.lobby().sends(scene.host, "post", "host", {"seat": 1}),
    "ready": starts,
    "keep open": lambda scene: scene.lobby().later(days=12).sends(scene.host, "post", "keep"),
    "cancel": lambda scene: scene.lobby().sends(scene.host, "post", "cancel"),
    "warn": lambda scene: scene.lobby().later(days=12).does(hosting.warn),
    "end": lambda scene: scene.lobby().later(days=14).does(hosting.end_unstarted),
    "move": moves,
    "resign": lambda scene: scene.running().signs(scene.host, "resign", "resign"),
    "offer": lambda scene: scene.running().signs(scene.host, "offer", "offer", open_=True),
    "take": takes,
    "grant": lambda scene: scene.running().sends(scene.host, "post", "grants", GRANT),
    "expire": expires,
    "pause": pauses,
    "resume": resumes,
    "wish": wishes,
    "agree": agrees,
    "object": objects,
    "settle": settles,
    "wish to pause": wishes_pause,
    "agree to pause": agrees_to_pause,
    "object to pause": objects_to_pause,
    "say": says,
    "take back": takes_back,
    "report a message": reports_words,
    "see": sees,
    "mute": mutes,
    "unmute": unmutes,
    "block": blocks,
    "unblock": unblocks,
    "report": reports,
    "rematch": rematches,
}


def state(hall: Harness) -> State:
    """All rows, without what is drawn, and with times as they are."""
    found: State = Counter()
    with hall.services.database.read() as session:
        for table in Base.metadata.sorted_tables:
            kept = [column for column in table.columns if _is_kept(column)]
            if table.name not in OF_REQUESTS and kept:
                found.update(_row(table.name, row) for row in session.execute(sa.select(*kept)))
    return found


def _row(table: str, row: sa.Row[Any]) -> tuple[str, ...]:
    return table, *(REQUEST.sub("", GAME.sub("a game", str(value))) for value in row)


def _is_kept(column: sa.Column[Any]) -> bool:
    """Neither bytes nor a number or name that is drawn anew for each row."""
    return column.name not in DRAWN and not isinstance(column.type, sa.LargeBinary)


def change(before: State, after: State) -> Change:
    """Rows that came and rows that went."""
    return sorted((after - before).elements()), sorted((before - after).elements())


def killed(hall: Harness, number: int, act: Act) -> bool:
    try:
        with killed_at(hall, number):
            act()
    except KilledError:
        return True
    return False


@pytest.mark.parametrize("verb", VERBS)
def test_a_killed_verb_has_changed_nothing_and_is_done_when_repeated(any_hall: Harness, verb: str) -> None:
    """On PostgreSQL some kills come after the commit, while the answer is read: then all of it is done."""
    act = VERBS[verb](Scene(any_hall))
    states, number = [state(any_hall)], 1
    while killed(any_hall, number, act):
        states.append(state(any_hall))
        number += 1
        assert number < MOST
    done = state(any_hall)
    assert number > 2
    assert done != states[0]
    assert all(one in (states[0], done) for one in states)
    act()
    assert change(done, state(any_hall)) == ([], [])


@pytest.mark.parametrize("verb", VERBS)
def test_three_of_a_verb_at_once_do_what_one_does(
    each_hall: Harness, verb: str, tmp_path: Path, open_house: Callable[..., Harness]
) -> None:
    alone = open_house(sqlite_url(tmp_path / "alone"))
    three, one = _changed(each_hall, verb, 3), _changed(alone, verb, 1)
    if verb == "rematch":  # its seats are drawn
        three, one = _tables(three), _tables(one)
    assert three == one


def _tables(changed: Change) -> Change:
    came, went = ([row[:1] for row in rows] for rows in changed)
    return came, went


def _changed(hall: Harness, verb: str, times: int) -> Change:
    act = VERBS[verb](Scene(hall))
    before = state(hall)
    together(*[act] * times)
    return change(before, state(hall))
