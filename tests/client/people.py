"""Players at a table of a fake server, and how they report distrust."""

import pytest

from client import keys
from client.errors import DistrustError
from client.game import Player
from client.memory import Memory

from .dishonest import Proxy
from .fake_server import FakeServer

ROLL, HOLD = [{"do": "roll"}], [{"do": "hold"}]
BID, OTHER_BID = [{"do": "bid", "amount": 1}], [{"do": "bid", "amount": 2}]


class At:
    """A player who names their seat before each request, because the house has no tokens.

    A key that another device has added gives its seat as `named`; a real account knows it.

    `way` stands between the player and the house, if it is given; `said` are the warnings.
    """

    def __init__(self, house, folder, number, way=None, key=None, **given):
        self.house = house
        self.said: list[str] = []
        key = key or key_of(number)
        given = {"clock": lambda: house.now, "tell": self.said.append, **given}
        memory = Memory(folder / f"player-{number}")
        self.player = Player((way or house).api(), house.id, key, memory, **given)

    def __getattr__(self, name):
        self.house.asked = None
        if self.player.log.size:
            self.house.asked = self.player.seat
        return getattr(self.player, name)

    @property
    def evidence(self):
        """The stored evidence, the oldest first."""
        return [self.player.memory.evidence.read(name) for name in self.player.memory.evidence.names()]


def key_of(number: int) -> keys.Key:
    return keys.Key(bytes([number]) * 32)


def seated(folder, key="pig", seats=2, *, house=None, **given):
    """A server with a game and its players in their seats."""
    house = house or FakeServer(key, seats)
    players = [At(house, folder, number, **given) for number in range(seats)]
    for player in players:
        player.join()
    for player in players:
        player.sync()
    return house, players


def distrusts(player, code, do=None, again=None):
    """The player distrusts with this code, keeps the evidence, and signs nothing more until the finding is cleared.

    Nor does a new process (made by `again`) on the same folder.
    """
    posted = len(player.house.posted)
    with pytest.raises(DistrustError) as caught:
        (do or player.sync)()
    assert caught.value.code == code
    assert player.evidence
    player.house.between = lambda path, value: value
    posted_then = len(player.house.posted)
    for one in (player, again() if again else player):
        for act in (lambda one=one: one.move([{"do": "roll"}]), one.resign, one.join, one.sync):
            with pytest.raises(DistrustError) as caught:
                act()
            assert caught.value.code == code
    assert len(player.house.posted) == posted_then <= posted + 1
    return caught.value


def behind_proxy(folder, key):
    """A server with two seats behind a proxy, and players who reach it through that."""
    house = FakeServer(key, 2)
    way = Proxy(house)
    _, players = seated(folder, house=house, way=way)
    return house, way, players
