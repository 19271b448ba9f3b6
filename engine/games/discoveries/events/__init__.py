"""The events of the game. Each carries its results: `apply` reads only its fields and the state."""

from engine.games.discoveries.events.dice import DiceThrown, DieLaid, DieShifted, DieSpent, DieTurned
from engine.games.discoveries.events.exploring import (
    ActionsCleared,
    CardExplored,
    RoadTravelled,
    RouteChanged,
    SeatFinished,
    Written,
)
from engine.games.discoveries.events.setup import CampLaidOut, CardChosen, ChoicePassed, SetOut, Started
from engine.games.discoveries.events.tribes import CardReserved, DieGiven, DieOwed, GreyMissed, GreyTaken, TribeWon
from engine.games.discoveries.events.turns import (
    BankTaken,
    CardOpened,
    DeckUsedUp,
    DiceRecalled,
    ExtraTurn,
    GameEnded,
    NothingTaken,
    Scored,
    TerritoriesOpened,
    TribesArrived,
    TurnEnded,
    ZoneFilled,
)

__all__ = [
    "ActionsCleared",
    "BankTaken",
    "CampLaidOut",
    "CardChosen",
    "CardExplored",
    "CardOpened",
    "CardReserved",
    "ChoicePassed",
    "DeckUsedUp",
    "DiceRecalled",
    "DiceThrown",
    "DieGiven",
    "DieLaid",
    "DieOwed",
    "DieShifted",
    "DieSpent",
    "DieTurned",
    "ExtraTurn",
    "GameEnded",
    "GreyMissed",
    "GreyTaken",
    "NothingTaken",
    "RoadTravelled",
    "RouteChanged",
    "Scored",
    "SeatFinished",
    "SetOut",
    "Started",
    "TerritoriesOpened",
    "TribeWon",
    "TribesArrived",
    "TurnEnded",
    "Written",
    "ZoneFilled",
]
