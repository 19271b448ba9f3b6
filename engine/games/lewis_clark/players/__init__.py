"""House players of Lewis & Clark: `imagine`, `evaluate`, the turns they consider, and the levels."""

from engine.games.lewis_clark.players.habits import habits
from engine.games.lewis_clark.players.imagine import imagine
from engine.games.lewis_clark.players.levels import ADVICE, EASY, FAIR, STRONG, shrewd, shrewd_parts
from engine.games.lewis_clark.players.thumb import THUMB
from engine.games.lewis_clark.view import LewisClarkView
from engine.players import Heat, Players

players = Players(
    view=LewisClarkView,
    imagine=imagine,
    levels={"easy": EASY, "fair": FAIR, "strong": STRONG},
    advice=ADVICE,
    thumb=THUMB,
    habits=habits,
    worth=shrewd,
    parts=shrewd_parts,
    unit=("space of river", "spaces of river"),
    heat=Heat(first=8.0, last=12.0),
)
