"""A hidden game provably shows each seat only what it may see; and the parts of E."""

import pytest

from engine.errors import EngineFault
from engine.record.compose import entries as c
from engine.record.compose.decision import encode, lanes, seal, seals, seals_of
from engine.record.encoding import canonical
from engine.record.judge.entries import follow
from engine.record.log.fold import apply_entry, entropy_of, open_table
from tests.kit.play_record import H, Record


def shape(value):
    """The shape of an entry: its members, and the lengths of lists and texts."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return len(value) if isinstance(value, str) else value


def test_hidden_facts_do_not_change_the_public_entry():
    """In two games that differ only in a bid, the public entry has the same members and sizes."""
    entries = []
    for amount in (0, 9):
        record = Record("bids")
        record.move(0, [{"do": "bid", "amount": amount}])
        entries.append(record.lines[-1])
    first, second = entries
    assert first != second
    assert len(first) == len(second)
    assert shape(canonical.loads(first)) == shape(canonical.loads(second))


def test_a_seat_checks_its_own_seal_and_no_other():
    """The entry commits to its salt and list; with those of another seat the check fails."""
    record = Record("bids")
    entry, opening = record.entries[3], record.openings[0]
    for seat in (0, 1):
        own = c.seat_opening(record.table, record.secret, opening, seat)
        salt = canonical.from_base64url(own["salt"], 32)
        fits = [sealed == seal(salt, own["events"]) for sealed in entry.body["seals"]]
        assert fits == [watcher == seat for watcher in range(3)]


def test_a_salt_opens_the_seal_of_its_own_entry_alone():
    """The same seat's salt and list of another entry do not fit."""
    record = Record("bids").play(2)
    first, later = (c.seat_opening(record.table, record.secret, opening, 0) for opening in record.openings[:2])
    entry = next(entry for entry in record.entries if entry.seq == record.openings[1]["seq"])
    assert entry.body["seals"][0] == seal(canonical.from_base64url(later["salt"], 32), later["events"])
    for salt, events in ((first["salt"], later["events"]), (later["salt"], first["events"])):
        assert entry.body["seals"][0] != seal(canonical.from_base64url(salt, 32), events)


def test_a_seat_is_shown_its_own_card_and_no_other():
    """For others the field is null."""
    record = Record("bids")
    own = c.seat_opening(record.table, record.secret, record.openings[0], 1)
    dealt = {event["seat"]: event["colour"] for event in own["events"] if event["is"] == "FavouriteDealt"}
    assert dealt == {0: None, 1: record.table.state.bidders[1].favourite}


def test_the_quick_seals_are_those_of_the_specification():
    """They are made of parts that are written once; the slow way writes each list whole."""
    views = [[{"a": 1}, {"b": None}], [], [{"a": 2}]]
    quick = seals_of(bytes(32), 7, [[encode(event) for event in view] for view in views])
    assert quick == seals(bytes(32), 7, views)


def test_entropy_does_not_depend_on_the_order_of_joining():
    """The same players with the same nonces, in another order of seats taken by the same keys."""
    made = []
    for order in ((0, 1, 2), (2, 0, 1)):
        record = Record("pig", seats=3, start=False)
        for seat in order:
            record.join(seat)
        made.append(entropy_of(record.start().table))
    assert made[0] == made[1]


def test_bots_and_those_who_left_are_not_in_the_entropy():
    """The entropy contains nothing that the server made itself."""
    plain, bot = Record("pig", seats=2, start=False), Record("pig", seats=2, start=False)
    for record, is_bot in ((plain, False), (bot, True)):
        record.join(0)
        record.join(1, bot=is_bot, nonce=H(b"bot" if is_bot else b"player"))
    other = Record("pig", seats=2, start=False)
    other.join(0)
    other.join(1, nonce=bytes(32))
    other.leave(1)
    other.join(1, bot=True, nonce=H(b"another bot"))
    assert entropy_of(bot.start().table) == entropy_of(other.start().table) != entropy_of(plain.start().table)


def test_an_open_game_draws_nothing_in_secret():
    """That would be a fault of the game: nobody could check such draws while it runs."""
    record = Record("pig")
    _, hidden = lanes(record.table, record.secret)
    with pytest.raises(EngineFault):
        hidden.roll(6)


@pytest.mark.parametrize("game", ["pig", "bids"])
def test_a_server_loads_its_store_by_folding(game):
    """It gets the same table without deciding anything again, and continues the draws where they were."""
    record = Record(game, seats=3).play(4)
    openings = {opening["seq"]: opening for opening in record.openings}
    table = open_table(record.entries[0])
    for entry in record.entries[1:]:
        table = apply_entry(table, entry, openings.get(entry.seq), record.table.hidden_draw)
    assert table == record.table


def test_a_client_follows_a_hidden_game_without_openings():
    """It checks everything public; it has no state."""
    record = Record("bids", seats=3).play(4)
    table = open_table(record.entries[0])
    for entry in record.entries[1:]:
        table = follow(table, entry)
    assert (table.head, table.draw, table.state) == (record.table.head, record.table.draw, None)
