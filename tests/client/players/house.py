"""House players at a table of a fake server."""

from __future__ import annotations

import httpx
import msgspec

from client.players.account import Bot, HouseAccount, accounts_in
from client.players.questions import Reply
from tests.client.fake_server import HOST


class Runner:
    """Gives the answers of the test."""

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.asked = [*replies], []

    def ask(self, question):
        self.asked.append(question)
        return self.replies.pop(0) if self.replies else Reply(commands=question.legal[:1], by="easy")


class Log:
    def __init__(self) -> None:
        self.told = []

    def __call__(self, event, **facts):
        assert not facts.keys() & {"level", "logger", "timestamp"}  # of every line: they would replace the fact
        self.told.append((event, facts))

    def of(self, event):
        return [facts for name, facts in self.told if name == event]


def account(folder, number, token="token"):
    """The folder of an account of level fair."""
    (folder / str(number)).mkdir(exist_ok=True)
    path = folder / str(number) / "account"
    path.write_bytes(msgspec.json.encode(HouseAccount(f"http://{HOST}", token, str(number), f"bot {number}", "fair")))
    path.chmod(0o600)
    return folder / str(number)


def bot_of(house, folder, log):
    (version,) = accounts_in(folder.parent, folder.name)
    bot = Bot(version, httpx.Client(transport=httpx.MockTransport(house)), log, lambda: house.now)
    bot.api.pause = house._wait
    return bot


def at_table(house, folder, log):
    bots = [bot_of(house, account(folder, seat), log) for seat in range(2)]
    for seat, bot in enumerate(bots):
        house.asked = seat
        bot.player(house.id).join(seat, bot.recovery.jwk)
    return house, bots


def due(house, bots):
    """The bot to move; the server shows its view."""
    house.asked = house.table.active[0]
    return bots[house.asked]
