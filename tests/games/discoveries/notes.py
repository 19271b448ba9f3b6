"""Facts about Discoveries that the conformance suite needs beyond the contract."""

from collections import Counter

from engine.games.discoveries.dice import COLOURS, PER_COLOUR, colour_of
from engine.games.discoveries.meta import DiscoveriesOptions
from engine.games.discoveries.state import DiscoveriesState
from tests.games.discoveries.editions import SHORT
from tests.games.discoveries.test_refusals import CASES

# Random play rarely crosses a road of the house edition. With roads of one icon it explores, and games end.
variants = {"short-roads": DiscoveriesOptions(edition=SHORT, first_game=True)}


def pieces(state: DiscoveriesState) -> object:
    """Dice by colour and all cards; a grey die that is owed is counted with its giver and with its taker."""
    return sorted(dice_of(state).items()), sorted(cards_of(state))


def dice_of(state: DiscoveriesState) -> Counter[str]:
    dice = Counter({"grey": state.stock})
    dice.update(dict.fromkeys(COLOURS[: state.seats], PER_COLOUR if state.choosing else 0))
    for supply in (state.left, state.right, state.doing.coming):
        dice.update(dict(supply.rest))
    reserves = (pair for player in state.players for pair in player.reserve.rest)
    for die, count in (*state.doing.turned.rest, *state.doing.fresh.rest, *reserves):
        dice[colour_of(die)] += count
    for player in state.players:
        dice.update(colour for action in player.actions for colour in action.colours)
    dice.subtract("grey" for _ in state.owed)
    return dice


def cards_of(state: DiscoveriesState) -> list[int]:
    cards = [*state.deck, state.top, *state.removed, *state.encounters, *state.territories]
    for player in state.players:
        cards += [*player.tribes, *player.journal, player.exploring, *(card for _, card in player.reserved)]
    return [card for card in cards if card]


def refused() -> set[str]:
    """Codes that random games rarely meet; test_refusals has a case for each."""
    return {case.code for case in CASES}
