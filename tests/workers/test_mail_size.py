"""A mail stays below 100 kB, above which mail programs clip it, even with the largest pictures."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from engine import kit, registry, replay
from engine.errors import Refused
from engine.selfplay import lanes, seed_of
from tests.workers.letters import ADA, HOUSE, NOTE, WAYS, your_turn
from workers.mail import picture
from workers.mail.compose import compose
from workers.mail.facts import Place, Table

MOST = 100_000
NAMES = tuple(f"A player with a long name {seat}" for seat in range(4))


def late(key: str, moves: int):
    """A position of four players after this many random moves."""
    game, dice = registry.games()[key], random.Random(3)
    seed = seed_of("mails")
    turn = replay.start(game, 4, game.meta.options(), lanes(seed, "chance"), lanes(seed, "secret"))
    for _ in range(moves):
        if kit.outcome(game, turn.state) is not None:
            break
        seat = kit.active(game, turn.state)[0]
        try:
            replay.move(game, turn, seat, [kit.Step(dice.choice(list(islice(kit.legal(game, turn.state, seat), 40))))])
        except Refused:
            replay.move(game, turn, seat, [kit.Step(game.default(turn.state, seat))])
    return game, turn


@pytest.mark.slow
@pytest.mark.parametrize(("key", "moves"), [("discoveries", 250), ("lewis_clark", 250), ("tikal", 60)])
def test_a_late_mail_of_a_large_game_stays_small(key, moves):
    """Picture, text and HTML together, as sent."""
    game, turn = late(key, moves)
    seat = (*kit.active(game, turn.state), 0)[0]
    view = kit.view(game, turn.state, seat)
    told = tuple(filter(None, (kit.tell(kit.redact(event, seat), NAMES) for event in turn.events[-60:])))
    drawn = picture.png(game.picture(view, NAMES))
    assert drawn is not None
    table = Table(told, game.board(view, NAMES), NOTE, drawn)
    place = Place(your_turn().place.game, key, game.meta.title, seat, NAMES, your_turn().place.token, WAYS)
    mail = compose(HOUSE, ADA, your_turn(place=place, table=table, legal=kit.group(kit.legal(game, turn.state, seat))))
    assert 20_000 < len(mail.as_bytes()) < MOST


SIZES = [
    ("discoveries", 250, [640]),
    ("lewis_clark", 250, [540]),
    ("tikal", 60, [640, 640]),
    ("livingstone", 30, [640]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "moves", "widths"), SIZES)
def test_a_picture_is_drawn_at_the_width_that_fits_in_few_tries(key, moves, widths, monkeypatch):
    """Each try takes a tenth of a second, more than everything else in a mail; none that would fit is left out."""
    game, turn = late(key, moves)
    svg, tried, usual = game.picture(kit.view(game, turn.state, 0), NAMES), [], picture.drawn
    monkeypatch.setattr(picture, "drawn", lambda svg, width: tried.append(width) or usual(svg, width))
    assert len(picture.png(svg)) <= picture.MOST
    assert tried == widths
    for width, without in picture.CROPS[: [width for width, _ in picture.CROPS].index(widths[0])]:
        less = usual(picture.cropped_to(svg, without), width)
        assert min(map(len, picture.fewer_colours(less, picture.declared(svg)))) > picture.MOST
