"""The house players of Tikal: `imagine`, `evaluate`, and a module for each way to play."""

from engine.games.tikal.players.easy import EASY
from engine.games.tikal.players.habits import habits
from engine.games.tikal.players.imagine import imagine
from engine.games.tikal.players.search import ADVICE, FAIR, STRONG, shrewd, shrewd_parts
from engine.games.tikal.players.thumb import THUMB
from engine.games.tikal.view import TikalView
from engine.players import Heat, Players

players = Players(
    view=TikalView,
    imagine=imagine,
    levels={"easy": EASY, "fair": FAIR, "strong": STRONG},
    advice=ADVICE,
    thumb=THUMB,
    habits=habits,
    worth=shrewd,
    parts=shrewd_parts,
    heat=Heat(first=48.0, last=3.0),
)
