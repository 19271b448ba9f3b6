"""The players of Discoveries."""

from engine.games.discoveries.players.imagine import imagine
from engine.games.discoveries.view import DiscoveriesView
from engine.players import Anything, Players

players = Players(view=DiscoveriesView, imagine=imagine, levels={"easy": Anything()})
