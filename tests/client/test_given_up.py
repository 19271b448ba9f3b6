"""A server whose log states that it lost its end: the loss takes the place of our copy and convicts nobody."""

import pytest

from client.errors import DistrustError
from engine.record.log.entry import read_entry
from engine.record.signed import note

from .fake_server import problem
from .people import BID, At

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn


@pytest.fixture
def moved(sit):
    """A game of Pig in which both have moved once since the copy of four entries was made, and know it."""
    house, way, players = sit("pig")
    for player in players:
        player.move(TURN)
    players[0].sync()
    return house, way, players


@pytest.mark.parametrize("more", [0, 1, 2], ids=["shorter", "as long", "longer"])
def test_a_stated_loss_takes_the_place_of_our_copy(moved, tmp_path, more):
    """The client continues from there, keeps its own copy as evidence and tells its user once."""
    house, way, players = moved
    lost = [line.decode() for line in house.lines[4:]]
    house.give_up(4)
    for number in range(more):
        players[number].move(TURN)
    player = players[0] if more < 2 else At(house, tmp_path, 0, way)
    player.sync()
    assert player.memory.lines() == house.lines
    assert player.memory.note() == house.note()
    assert player.log.broken is None
    assert (player.evidence[-1]["what"], player.evidence[-1]["entries"]) == ("lost-entries", lost)
    assert sum("has lost entries 4 to 5" in text for text in player.memory.warnings()) == 1
    assert house.compared == []
    again = At(house, tmp_path, 0, way)
    assert again.sync() == []
    players[more % 2].move(TURN)


def test_the_entries_after_the_loss_are_new(moved):
    """The statement itself is the first."""
    house, _, players = moved
    house.give_up(4)
    house.grant([0], 3600, "outage")
    assert [entry.kind for entry in players[0].sync()] == ["restored", "granted"]


@pytest.mark.parametrize(
    "stated", [{"head": bytes(32)}, {"end": 5}], ids=["another end than ours", "fewer entries than ours"]
)
def test_a_loss_that_does_not_explain_our_copy_is_a_fork(moved, stated):
    """The server has signed what its log neither has nor states as lost, and is shown our checkpoint."""
    house, _, players = moved
    mine = players[0].memory.note()
    house.give_up(4, **stated)
    with pytest.raises(DistrustError):
        players[0].sync()
    assert house.compared == [mine]


def test_a_loss_before_the_entry_that_differs_explains_nothing(moved):
    """The histories must part at the statement."""
    house, _, players = moved
    house.restore(4)
    house.grant([0], 3600)
    house.give_up(5, end=6, head=read_entry(players[0].memory.lines()[5]).hash)
    with pytest.raises(DistrustError):
        players[0].sync()


def test_checkpoints_within_a_stated_loss_prove_nothing(moved):
    """One that names another end of the lost log, or is longer, does."""
    house, _, players = moved
    within, end = house.note(5), house.note(6)
    other = note.write("games.example", house.id, 6, bytes(32), house.seed)
    house.give_up(4)
    for number in range(2):
        players[number].move(TURN)
    players[0].sync()
    assert players[0].heed(f"{within}\n{end}") == ["older", "older"]
    with pytest.raises(DistrustError, match="fork"):
        players[0].heed(other)


def test_a_machine_that_has_only_the_checkpoint_accepts_the_loss(moved, tmp_path):
    """Its log was deleted when it signed out."""
    house, way, players = moved
    players[0].memory.forget()
    house.give_up(4)
    again = At(house, tmp_path, 0, way)
    again.sync()
    assert again.memory.note() == house.note()
    again.move(TURN)


def test_a_loss_that_is_stated_while_we_submit_entries_is_accepted(moved):
    """The operator was quicker: our entries are refused, and the log says why."""
    house, way, players = moved
    lines = list(house.lines)
    house.restore(4)

    def give_up(_request):
        house.give_up(4, end=6, head=read_entry(lines[5]).hash)
        return problem(409, "entries-given-up")

    way.reads["missing"] = give_up
    players[0].sync()
    assert players[0].log.broken is None
    assert players[0].memory.lines() == house.lines


def test_private_events_after_a_loss_are_read_again(sit):
    """They have the numbers of lost ones."""
    house, _, players = sit("bids")
    for player in players:
        player.move(BID)
    assert players[0].openings()
    house.give_up(4)
    players[0].move(BID)
    assert [one["seq"] for one in players[0].openings()] == [5]
