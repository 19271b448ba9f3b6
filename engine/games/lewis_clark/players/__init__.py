"""The players of Lewis & Clark."""

from engine.games.lewis_clark.players.imagine import imagine
from engine.games.lewis_clark.view import LewisClarkView
from engine.players import Anything, Players

players = Players(view=LewisClarkView, imagine=imagine, levels={"easy": Anything()})
