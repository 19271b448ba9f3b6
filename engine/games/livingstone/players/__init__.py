"""The house players of Livingstone: `imagine`, `evaluate`, and a module for each way to play."""

from engine.games.livingstone.players.easy import EASY
from engine.games.livingstone.players.habits import habits
from engine.games.livingstone.players.imagine import imagine
from engine.games.livingstone.players.search import FAIR, STRONG, shrewd, shrewd_parts
from engine.games.livingstone.players.thumb import THUMB
from engine.games.livingstone.view import LivingstoneView
from engine.players import Heat, Players

players = Players(
    view=LivingstoneView,
    imagine=imagine,
    levels={"easy": EASY, "fair": FAIR, "strong": STRONG},
    thumb=THUMB,
    habits=habits,
    worth=shrewd,
    parts=shrewd_parts,
    heat=Heat(first=16.0, last=12.0),
)
