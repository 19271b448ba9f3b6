"""A person of a simulated year: what they do whenever they come, through the API and what their list shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from server.kernel.db.models import Game, Place, Seat
from server.kernel.text import iso
from server.tables.after import consents
from tests.server.harness import Player
from tests.year.habits import Habit, journeys, sittings
from tests.year.shown import disagreement
from tests.year.world import World

HOUR, DAY = 3600, 86400
TITLES = ("tikal", "livingstone", "discoveries", "lewis_clark")
CLOCKS = (
    {"move": DAY, "bank": 2 * DAY, "grace": 12 * HOUR},
    {"move": 12 * HOUR, "bank": 5 * DAY, "grace": 12 * HOUR},
    {"move": 3 * DAY, "bank": 0, "grace": 12 * HOUR},
)
WANTED = 3  # tables of a person at once
UNASKED = timedelta(days=3)  # so long after they last looked they look again without a mail
LONG = timedelta(days=100)  # after so long some wish to end a game
MOST_MOVES = 60  # at one table in one sitting
SAYINGS = ("Nice move!", "I will be away at the weekend.\nSorry!", "say what you like\nend", "> stop\n\npass", "🐘 → ½")


class Person:
    """Somebody with a habit, a time zone and an account."""

    def __init__(self, world: World, number: int, habit: Habit, zone: str) -> None:
        self.world, self.habit, self.zone = world, habit, zone
        self.dice = random.Random(world.dice.random())
        self.player: Player = world.hall.player(number)
        self.journeys = journeys(habit, zone, world.begins, world.days, self.dice)
        self._set_up()
        for moment in sittings(habit, zone, world.begins, world.days, self.dice):
            world.at(moment, self.sit)
        for one in self.journeys if habit.planned else ():
            world.at(one.first - timedelta(days=4), lambda at=one.first: self.announce(at))  # type: ignore[misc]
        self.calendar = ""
        self.has_news, self.looks_at = True, world.begins

    def _set_up(self) -> None:
        self.world.figures.habits[self.player.account] = self.habit.name
        self.player.harness.client.patch("/v1/me", json={"zone": self.zone}, headers=self.player.auth)
        self.handle = self.player.get("/me").get_json()["handle"]
        # The others read the board as text: pictures take most of a mail's time.
        wish: dict[str, Any] = {"picture": self.habit.name == "prompt"}
        if self.dice.random() < 0.3:
            wish |= {"turn": "digest", "digest_hour": "07:00"} if self.dice.random() < 0.5 else {"remind": "hours"}
        found = self.player.get("/me/mail")
        self._send("patch", "/me/mail", wish, {"If-Match": found.headers["ETag"]})

    def _send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> bool:
        """A request; whether it was carried out."""
        self.world.actor = self.player.account
        answer = getattr(self.player.harness.client, method)(
            f"/v1{path}", json=body, headers=self.player.auth | (headers or {})
        )
        done = self.world.check(answer, f"{method} {path.rpartition('/')[2]}")
        self.world.look()
        return done

    @property
    def is_away(self) -> bool:
        return any(one.first <= self.world.hall.clock() < one.back for one in self.journeys)

    def announce(self, first: datetime) -> None:
        day = first.astimezone(ZoneInfo(self.zone)).date().isoformat()
        if self._send("post", "/me/holidays", {"from": day, "days": self.habit.away}):
            self.world.figures.counted["holidays"] += 1
            self.world.figures.counted["days of holidays"] += self.habit.away

    def read(self, kind: str) -> None:
        """A mail has come; after a reminder some sit down hours later, but not at night."""
        self.has_news = True
        if kind == "reminder" and self.habit.reminded:
            at = self.world.hall.clock() + timedelta(hours=self.dice.randrange(1, 5))
            at = at.astimezone(ZoneInfo(self.zone))
            self.world.at(at.replace(hour=max(7, at.hour)), self.sit)

    # --- A sitting --------------------------------------------------------------------------------------------------

    def sit(self) -> None:
        """Everything that waits, the most urgent first; then another table if they want one.

        They look if a mail has come since they last did, or after some days.
        """
        now = self.world.hall.clock()
        if self.is_away or not (self.has_news or now >= self.looks_at):
            return
        self.has_news, self.looks_at = False, now + UNASKED
        games = self.player.get("/me/games?order=urgent&kept=true&waits=true").get_json()["games"]
        if games and self.dice.random() < 0.03:
            self._compare(games)
        for game in games:
            for what in game["waits"]:
                ANSWERS.get(what, _nothing)(self, game)
        self._look_around()

    def _compare(self, games: list[Any]) -> None:
        wrong = disagreement(self.world, self, [one for one in games if one["owes"] and not one["stopped"]])
        self.world.figures.counted["comparisons of surfaces"] += 1
        if wrong:
            self.world.watch.breach("surfaces that disagree", who=self.handle, wrong=wrong)

    def move(self, game: Any) -> None:
        self.has_news = self.dice.random() < 0.1  # they stop in the middle of their turn, and know it
        for _ in range(1 if self.has_news else MOST_MOVES):
            if not self.world.play(self.player, game["id"], game["seat"]):
                break
        if self.dice.random() < 0.1:
            self._say(game)
        if self.dice.random() < 0.004:
            self.player.seat = game["seat"]
            self.world.actor = self.player.account
            self.world.check(self.player.offer(game["id"]), "offer")
        self._as_host(game)

    def _say(self, game: Any) -> None:
        if self._send("post", f"/games/{game['id']}/talk", {"text": self.dice.choice(SAYINGS)}):
            self.world.figures.counted["messages"] += 1

    def _as_host(self, game: Any) -> None:
        """Now and then a host pauses the game or gives time; others wish for a pause by all, or for the end."""
        path, chance, now = f"/games/{game['id']}", self.dice.random(), self.world.hall.clock()
        with self.world.services.database.read() as session:
            row = session.get_one(Game, game["id"])
        if row.status != "running":
            return
        if row.host_id == self.player.account and chance < 0.02:
            if self._send("post", f"{path}/pause", {"until": iso(now + timedelta(days=self.dice.randrange(1, 6)))}):
                self.world.figures.counted["pauses by a host"] += 1
        elif row.host_id == self.player.account and chance < 0.04:
            others = [one["seat"] for one in game["seats"] if one["seat"] != game["seat"]]
            if self._send("post", f"{path}/grants", {"seats": others[:1], "seconds": DAY}):
                self.world.figures.counted["grants"] += 1
        elif row.host_id == self.player.account and chance < 0.05:
            self._send("delete", f"{path}/pause")
        elif chance > 0.99:
            self._send(
                "put", f"{path}/consents/pause", {"until": iso(now + timedelta(days=self.dice.randrange(5, 15)))}
            )
        elif chance > 0.97 and now - row.created_at > LONG:
            self._send("put", f"{path}/consents/cancel")

    # --- Answers ----------------------------------------------------------------------------------------------------

    def join_kept(self, game: Any) -> None:
        """A seat that is kept: most sit down, some decline."""
        kept = (Place.game_id == game["id"], Place.account_id == self.player.account, Place.state == "asked")
        with self.world.services.database.read() as session:
            seat = session.scalar(sa.select(Place.seat).where(*kept))
        if seat is not None and self.dice.random() < 0.8:
            self.join(game["id"], seat)
        elif game["invitation"] is not None:
            self._send("post", f"/me/invitations/{game['invitation']}/decline", {})

    def join(self, game: str, seat: int) -> bool:
        self.world.actor = self.player.account
        done = self.world.check(self.player.join(game, seat), "join")
        self.world.look()
        return done

    def get_ready(self, game: Any) -> None:
        self._send("put", f"/games/{game['id']}/ready", {"ready": True})

    def read_talk(self, game: Any) -> None:
        said = self.player.get(f"/games/{game['id']}/talk").get_json()["messages"]
        self._send("put", f"/games/{game['id']}/talk/seen", {"n": said[-1]["n"]})

    def consent(self, game: Any, what: str = "cancel") -> None:
        """Most agree, some object, the rest do not answer."""
        chance, path = self.dice.random(), f"/games/{game['id']}/consents/{what}"
        until = consents.wished_pause(self.world.services, game["id"]) if what == "pause" else None
        self.world.figures.counted[f"asked to {what}"] += 1
        if chance < 0.6:
            self._send("put", path, None if until is None else {"until": iso(until)})
        elif chance < 0.7:
            self._send("delete", path)

    def agree_to_pause(self, game: Any) -> None:
        self.consent(game, "pause")

    # --- Another table ----------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        """Rematches of what has ended; then a free seat, a table that waits for players, or one of their own."""
        with self.world.services.database.read() as session:
            mine = session.execute(
                sa.select(Game.id, Game.status)
                .join(Seat, Seat.game_id == Game.id)
                .where(Seat.account_id == self.player.account)
            ).all()
        for game, status in mine:
            if status == "finished" and self.world.tables < self.world.most_tables and self.dice.random() < 0.1:
                before = self.world.tables
                self._send("post", f"/games/{game}/rematch")
                self.world.figures.counted["rematches"] += self.world.tables - before
        now_at = sum(status in ("lobby", "running") for _, status in mine)
        if now_at < WANTED and (not now_at or self.dice.random() < 0.3):
            _ = self._take() or self._join_another() or self._open()

    def _take(self) -> bool:
        """A seat of a running game that is offered, or whose player is absent."""
        now = self.world.hall.clock()
        free = sa.select(Seat.game_id, Seat.seat).join(Game, Game.id == Seat.game_id)
        free = free.where(Game.status == "running", Seat.free_from <= now, Seat.account_id != self.player.account)
        with self.world.services.database.read() as session:
            found = session.execute(free.order_by(Seat.game_id).limit(3)).all()
        for game, seat in found:
            self.world.actor = self.player.account
            done = self.world.check(self.player.take(game, seat), "take")
            self.world.look()
            if done:
                return True
        return False

    def _join_another(self) -> bool:
        listed = self.player.get("/games?status=lobby&free=true&limit=20").get_json()["games"]
        for one in listed:
            free = [seat["seat"] for seat in one["seats"] if seat["name"] is None and seat["kept"] is None]
            if free and self.player.account and self.handle not in {seat["handle"] for seat in one["seats"]}:
                return self.join(one["id"], free[0])
        return False

    def _open(self) -> bool:
        """A table of their own, as they like it."""
        world, dice = self.world, self.dice
        if world.tables >= world.most_new_tables:
            return False
        seats = dice.choice((2, 3, 3, 4))
        wish: dict[str, Any] = {"type": dice.choice(TITLES), "seats": seats, "clock": dice.choice(CLOCKS)}
        wish |= {
            "door": dice.choice(("open", "open", "open", "link", "invited")),
            "start": dice.choice(("full", "full", "ready")),
        }
        wish |= {"holidays": dice.choice(("yes", "yes", "ahead", "no")), "host_pause": dice.choice((0, 7, 14))}
        wish |= {"stand_in": dice.choice((None, None, "easy"))}
        if dice.random() < 0.6:
            wish["rest"] = {"days": ["sat", "sun"], "zone": self.zone}
        if seats > 2 and dice.random() < 0.3:
            wish["house"] = [{"seat": seats - 1, "level": "easy"}]
        made = self.player.post("/games", wish)
        if not world.check(made, "open"):
            return False
        game = made.get_json()["id"]
        self.join(game, 0)
        if wish["door"] != "open":
            for _ in range(seats):
                self._send("post", f"/games/{game}/invitations", {"to": dice.choice(world.handles)})
        return True


def _nothing(person: Person, game: Any) -> None:
    """Nothing to do: it goes away by itself."""


ANSWERS: dict[str, Callable[[Person, Any], None]] = {
    "move": Person.move,
    "rematch": Person.join_kept,
    "invitation": Person.join_kept,
    "ready": Person.get_ready,
    "talk": Person.read_talk,
    "cancel": Person.consent,
    "pause": Person.agree_to_pause,
}
