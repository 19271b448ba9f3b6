"""A player at a table who acts through the page's own scripts, without its interface; and their opponents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client import keys, session
from client.game import Player
from client.memory import Memory
from tests.browser.site import Person
from tests.kit import installed

installed.here()  # Pig and Bids: `program` plays them, too

# Every result comes back as data: an error as its name, its code and its message.
DO = """async ({ account, id, named, act, given }) => {
  const scripts = ['game/acts', 'game/checked-game', 'keys/device-key'].map((name) => import(`/static/${name}.js`));
  const [acts, { checkedGame }, keys] = await Promise.all(scripts);
  const game = checkedGame(account, id);
  game.named = named ?? game.named;
  const does = {
    check: async () => told(await game.check()),
    again: async () => (await acts.again(game)).map(({ act, entry, problem }) =>
      ({ says: act.says, seq: entry?.seq ?? null, problem: problem ? problem.code : null })),
    pending: async () => (await game.memory()).pending(),
    evidence: async () => (await game.memory()).evidence(),
    kept: async () => (await game.memory()).kept(),
    heed: async (text) => game.heed(text),
    clear: async () => game.clear(),
    key: async () => (await keys.make(account)).kid,
  };
  const told = ({ table, seat, gone, news, note, warnings, odd }) =>
    ({ size: table.size, head: { seq: table.size - 1, hash: table.head }, stage: table.stage, seat, gone, note,
       warnings, odd, news: news.map((entry) => entry.kind) });
  try {
    const value = does[act] ? await does[act](...given) : await acts[act](game, ...given);
    return { value: value?.line ? { seq: value.seq, kind: value.kind, jws: value.body.jws } : value };
  } catch (error) {
    return { error: error.name, code: error.code ?? null, says: error.message, seq: error.seq ?? null };
  }
}"""


@dataclass
class Hand:
    """A page as one person's hand at one table; `named` is their seat as their account names it."""

    page: Any
    person: Person
    game: str
    named: int | None = None

    def do(self, act: str, *given: Any) -> Any:
        """Return the result of an act; an error fails the test."""
        got = self.tries(act, *given)
        assert "error" not in got, got
        return got["value"]

    def tries(self, act: str, *given: Any) -> dict[str, Any]:
        """Return the result, or the error."""
        asked = {"account": self.person.account, "id": self.game, "named": self.named}
        return self.page.evaluate(DO, {**asked, "act": act, "given": list(given)})

    def move(self, *commands: Any, **said: Any) -> Any:
        return self.do("move", list(commands), None, said)


def hand(page, person: Person, game: str) -> Hand:
    """With a key that is made if there is none."""
    page.goto(f"{person.site.url}/login")  # a page whose own scripts do nothing
    made = Hand(page, person, game)
    made.do("key")
    return made


def program(person: Person, game: str, folder: Path) -> Player:
    """The same or another person, by the reference client."""
    key = keys.load_or_make(folder / f"{person.address}.key")
    session.register_key(person.session, key)
    return Player(person.session.api, game, key, Memory(folder / person.address / game), tell=lambda _: None)


def table(person: Person, key: str, seats: int = 2, **chosen: Any) -> str:
    return session.create_game(person.session, key, seats, **chosen)
