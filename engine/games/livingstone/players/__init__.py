"""The players of Livingstone."""

from engine.games.livingstone.players.imagine import imagine
from engine.games.livingstone.view import LivingstoneView
from engine.players import Anything, Players

players = Players(view=LivingstoneView, imagine=imagine, levels={"easy": Anything()})
