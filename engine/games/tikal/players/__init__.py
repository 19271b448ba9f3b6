"""The players of Tikal."""

from engine.games.tikal.players.imagine import imagine
from engine.games.tikal.view import TikalView
from engine.players import Anything, Players

players = Players(view=TikalView, imagine=imagine, levels={"easy": Anything()})
