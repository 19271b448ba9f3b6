"""The house players of Discoveries: `imagine`, `plan`, `evaluate`, and the levels built from them."""

from engine.games.discoveries.players.evaluate import parts, worth
from engine.games.discoveries.players.habits import habits
from engine.games.discoveries.players.imagine import imagine
from engine.games.discoveries.players.levels import EASY, FAIR, PLAN, STRONG
from engine.games.discoveries.players.thumb import THUMB
from engine.games.discoveries.view import DiscoveriesView
from engine.players import Heat, Players

players = Players(
    view=DiscoveriesView,
    imagine=imagine,
    levels={"easy": EASY, "fair": FAIR, "strong": STRONG},
    advice=PLAN,
    thumb=THUMB,
    habits=habits,
    worth=worth,
    parts=parts,
    heat=Heat(first=12.0, last=3.0),
)
