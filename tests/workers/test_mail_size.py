"""A mail stays below 100 kB, above which mail programs clip it, even with the largest pictures."""

from __future__ import annotations

import random
from io import BytesIO
from itertools import islice

import pytest
from PIL import Image

from engine import kit, registry, replay
from engine.errors import Refused
from engine.selfplay import lanes, seed_of
from tests.workers.letters import ADA, HOUSE, NOTE, WAYS, your_turn
from workers.mail import near, picture
from workers.mail.compose import compose
from workers.mail.facts import ReaderSeat, TableView

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


LATE = [
    ("discoveries", 250),
    ("lewis_clark", 100),
    ("lewis_clark", 250),
    ("tikal", 60),
    ("tikal", 150),
    ("livingstone", 30),
]


def focused(game, turn, seat: int) -> str:
    """The drawing for a telephone, from what the seat can do and the last events that it has seen."""
    commands = islice(kit.legal(game, turn.state, seat), 400)
    seen = (kit.redact(event, seat) for event in turn.events[-12:])
    found = near.focused(
        game.picture(kit.view(game, turn.state, seat), NAMES),
        [*near.of_commands(commands, seat), *near.of_events(seen)],
    )
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("key", "moves"), LATE)
def test_a_late_mail_of_a_large_game_stays_small(key, moves):
    """Picture, text and HTML together, as sent."""
    game, turn = late(key, moves)
    seat = (*kit.active(game, turn.state), 0)[0]
    view = kit.view(game, turn.state, seat)
    told = tuple(filter(None, (kit.tell(kit.redact(event, seat), NAMES) for event in turn.events[-60:])))
    part = near.png(focused(game, turn, seat))
    drawn = near.png(picture.limited(game.picture(view, NAMES), part))
    assert drawn is not None
    assert part is not None
    table = TableView(told, game.board(view, NAMES), NOTE, drawn, part)
    place = ReaderSeat(your_turn().place.game, key, game.meta.title, seat, NAMES, your_turn().place.token, WAYS)
    mail = compose(HOUSE, ADA, your_turn(place=place, table=table, legal=kit.group(kit.legal(game, turn.state, seat))))
    assert 20_000 < len(mail.as_bytes()) < MOST


@pytest.mark.slow
@pytest.mark.parametrize(("key", "moves"), LATE)
def test_a_picture_is_640_pixels_wide_and_a_part_of_it_360(key, moves):
    """However large the drawing; together they have room in a mail, and the part is for a telephone's width."""
    game, turn = late(key, moves)
    seat = (*kit.active(game, turn.state), 0)[0]
    part = near.png(focused(game, turn, seat))
    assert part is not None
    whole = near.png(picture.limited(game.picture(kit.view(game, turn.state, seat), NAMES), part))
    assert whole is not None
    assert (size_of(whole)[0], size_of(part)[0]) == (640, 360)
    assert near.LOWEST <= size_of(part)[1] <= max(near.HEIGHTS) + 1
    assert len(whole) + len(part) <= picture.MOST


def size_of(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as image:
        return image.size


SIZES = [
    ("discoveries", 250, 1),
    ("lewis_clark", 250, 1),
    ("tikal", 60, 2),
    ("livingstone", 30, 1),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "moves", "tries"), SIZES)
def test_a_picture_is_drawn_in_few_tries(key, moves, tries, monkeypatch):
    """Each try takes a tenth of a second, more than everything else in a mail; none that would fit is left out."""
    game, turn = late(key, moves)
    svg, tried, usual = game.picture(kit.view(game, turn.state, 0), NAMES), [], picture.drawn
    monkeypatch.setattr(picture, "drawn", lambda svg, width: tried.append(svg) or usual(svg, width))
    assert len(picture.png(svg)) <= picture.MOST
    assert len(tried) == tries
    steps = [picture.cropped_to(svg, without) for without, is_hard in picture.CROPS if not is_hard]
    for less in steps[: steps.index(tried[-1])] if tried[-1] in steps else steps:
        made = picture.fewer_colours(usual(less, picture.WIDTH), picture.declared(svg))
        assert min(map(len, made)) > picture.MOST
