"""Lines typed by mistake or in another form, with their answers: read it as a list.

`-> command` is the line as understood; anything else is the refusal, as the player reads it.
"""

from __future__ import annotations

import pytest

from engine.games.lewis_clark import game
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import Frame, LewisClarkState
from tests.games.lewis_clark.positions import face_up, play, position
from tests.kit.slips import answered

COVERED = LewisClarkOptions(covered="hidden")


def using(source: str, left: int = 2, village: str = "1 newcomers", **me: object) -> LewisClarkState:
    """Return a position with an action of this strength under way, for a player with `me`."""
    return position(me=me, frames=(Frame(source=source, left=left, begun=True),), village=village)


POSITIONS = {
    "start": position(me={"goods": "4 fur, 2 equipment"}),
    "played": play(position(), "play hunter").state,
    "commander": using("commander", goods="1 food, 1 horse"),
    "charbonneau": using("toussaint-charbonneau", goods="1 fur", village="1 hunting, 1 gift, 1 newcomers"),
    "black-cat": using("black-cat", goods="9 fur"),
    "full": using("black-cat", goods="11 fur"),
    "hunting": using("hunting", 1),
    "interpreter": using("interpreter", 1, village="2 hunting, 1 newcomers"),
    "hunter": using("hunter"),
    "tuttle": using("ebenezer-tuttle", goods="2 wood"),
    "boone": using("daniel-boone", goods="1 fur, 1 food, 1 wood"),
    "upgrade": using("upgrade", goods="3 wood"),
    "farewell": using("farewell", 1),
    "lumberjack": using("lumberjack", table=face_up("lumberjack", "interpreter")),
    "done": position(acted=True, camped=True, me={"goods": "1 fur, 1 equipment"}),
    "covered": play(position(options=COVERED), "play hunter").state,
}

SLIPS = (
    ("start", "village 2 hunting", "You asked for 2 Indians, but there is only 1 aboard."),
    ("hunter", "end turn", (
            "This command is not possible now. Possible: stop, use [as WAY] [pay PAY] "
            "[take TAKE] [only ONLY]."
        )),
    ("hunter", "done", (
            "This command is not possible now. Possible: stop, use [as WAY] [pay PAY] "
            "[take TAKE] [only ONLY]."
        )),
    ("boone", "use take wood pay fur",
     "fur does not pay the price (2 goods of any kind). You can spend 1 food, 1 fur and 1 wood."),
    ("start", "Play Hunter", "-> play hunter"),
    ("start", "ply hunter",
     "'ply' does not start a command; the nearest word is play; possible: play, village, camp, recruit."),
    ("start", "play huntr",
     ("'huntr' does not fit in 'play huntr'; the nearest word is hunter; possible: blacksmith, commander, "
     "fur-trader, hunter, interpreter, lumberjack.")),
    ("start", "play fur trader",
     ("'trader' does not fit in 'play fur trader'; the nearest word is fur-trader; nothing more may "
     "follow.")),
    ("start", "play hay",
     "Hay is not in your hand. You hold Blacksmith, Commander, Fur Trader, Hunter, Interpreter, Lumberjack."),
    ("start", "hunter",
     "'hunter' does not start a command; the nearest word is under; possible: play, village, camp, recruit."),
    ("start", "play",
     ("'play' fits several commands: play blacksmith, play commander, play fur-trader, play hunter, play "
     "interpreter, play lumberjack.")),
    ("start", "play hunter under interpreter",
     "'under' does not fit in 'play hunter under interpreter'; nothing more may follow."),
    ("start", "village hunting", "-> village hunting 1"),
    ("start", "vilage hunting 1",
     "'vilage' does not start a command; the nearest word is village; possible: play, village, camp, recruit."),
    ("start", "village hunting 2", "You asked for 2 Indians, but there is only 1 aboard."),
    ("start", "village 1 hunting", "-> village hunting 1"),
    ("start", "village forest 1",
     ("'forest' does not fit in 'village forest 1'; the nearest word is horses; possible: hunting, "
     "craftsmanship, gift, farewell, shamanism, upgrade, canoes, horses.")),
    ("start", "recruit discard lumberjack black-cat", "-> recruit black-cat discard lumberjack"),
    ("start", "recruit black cat", "'cat' does not fit in 'recruit black cat'; possible: discard."),
    ("start", "recruit cat",
     "'cat' does not fit in 'recruit cat'; possible: hay, discard, john-dame, big-white, black-cat."),
    ("start", "recruit Rene-Jessaume",
     "René Jessaume is not in the journal. The journal shows Hay, John Dame, Big White, Black Cat, Cut Nose."),
    ("start", "recruit yellept",
     "Yellept is not in the journal. The journal shows Hay, John Dame, Big White, Black Cat, Cut Nose."),
    ("start", "camp now", "'now' does not fit in 'camp now'; nothing more may follow."),
    ("start", "end turn", "You still owe an action this turn. Use `play` with a card, or `village` with a place."),
    ("start", "end", "You still owe an action this turn. Use `play` with a card, or `village` with a place."),
    ("start", "rest", "'rest' does not start a command; possible: play, village, camp, recruit."),
    ("start", "pass", "'pass' does not start a command; possible: play, village, camp, recruit."),
    ("start", "play hunter; under interpreter; end",
     (
            "Command 3 (end): This command is not possible now. Possible: stop, under "
            "CARD [showing BACK] [as KIND], indians COUNT, use [as WAY] [pay PAY] [take TAKE] [only ONLY]."
        )),
    ("start", "concede",
     ("This command is not possible now. Possible: play CARD, village PLACE COUNT, end, camp,"
     " recruit CARD [discard DISCARD].")),
    ("start", "use",
     ("No action with strength left is under way. Begin one with `play` or `village`, once a turn; "
      "each `use` takes 1 of its strength.")),
    ("start", "village canoes 1; use",
     ("Command 2 (use), after what was forced (stop): You cannot pay for a use of Canoe Manufacturing (2 wood). "
      "You can spend 2 equipment and 4 fur. So the action has ended.")),
    ("played", "under hunter",
     "Hunter is not in your hand. You hold Blacksmith, Commander, Fur Trader, Interpreter, Lumberjack."),
    ("played", "use", "This action has no strength yet. Type `under` with a card, or `indians` with a number."),
    ("played", "indians 0", "'0' does not fit in 'indians 0'; possible: 1."),
    ("played", "indians 4", "'4' does not fit in 'indians 4'; possible: 1."),
    ("played", "indian 1", "-> indians 1"),
    ("played", "indians", "-> indians 1"),
    ("played", "interpreter", "'interpreter' does not start a command; possible: under, indians."),
    ("commander", "use", "'use' fits several commands: use as food, use as horse."),
    ("commander", "use food", "'food' does not fit in 'use food'; possible: as, only."),
    ("commander", "use as river",
     "Commander cannot be used as river. Type `use as` with one of these: food, canoe, horse."),
    ("commander", "use as horse only 1",
     "`only` takes less than everything, and 1 is too many here. Give a smaller number, or leave `only` out."),
    ("commander", "use horse", "'horse' does not fit in 'use horse'; possible: as, only."),
    ("commander", "use as canoe", "This costs 1 canoe. You can spend 1 food, 1 horse and 1 Indian."),
    ("commander", "use as horze",
     "'horze' does not fit in 'use as horze'; the nearest word is horse; possible: food, horse."),
    ("charbonneau", "copy hunting", "-> copy hunting pay fur"),
    ("charbonneau", "copy gift pay fur", "-> copy gift pay fur"),
    ("charbonneau", "copy canoes", "Canoe Manufacturing cannot be copied. You can copy Hunting and Gift."),
    ("charbonneau", "copy hunter", "Hunter cannot be copied. You can copy Hunting and Gift."),
    ("charbonneau", "copy", "'copy' fits several commands: copy hunting pay fur, copy gift pay fur."),
    ("black-cat", "use take wood+fur", "-> use take fur+wood"),
    ("black-cat", "use take wood+wood+wood",
     ("You cannot take wood+wood+wood here. Take at most 2 of these: equipment, food, fur, wood (repeats "
      "allowed). You have room for 2. To take none, type `only 0`.")),
    ("black-cat", "use take gold",
     "'gold' does not fit in 'use take gold'; possible: equipment, food, fur, wood."),
    ("black-cat", "use 0", "'0' does not fit in 'use 0'; possible: take, only, how often (1 to 3)."),
    ("black-cat", "use only 0", "-> use only 0"),
    ("black-cat", "use wood+fur", "'wood+fur' does not fit in 'use wood+fur'; possible: take, only."),
    ("full", "use",
     ("Choose the goods. Type `take` with at most 0 of these: equipment, food, fur, wood (repeats allowed). You have "
      "room for 0. To take none, type `only 0`.")),
    ("full", "use only 0", "-> use only 0"),
    ("hunting", "use", "-> use"),
    ("hunting", "use take fur+food", "-> use"),
    ("hunting", "use take fur", "-> use take fur"),
    ("interpreter", "gather", "-> gather 3"),
    ("interpreter", "gather 3", "-> gather 3"),
    ("interpreter", "gather 4", "You asked for 4 Indians, but there are only 3 in the village."),
    ("interpreter", "gather all", "'all' does not fit in 'gather all'; possible: 0..3."),
    ("interpreter", "use", "This command is not possible now. Possible: stop, gather COUNT."),
    ("hunter", "use only 1", "-> use"),
    ("hunter", "use 1", "-> use"),
    ("hunter", "use only 2",
     "`only` takes less than everything, and 2 is too many here. Give a smaller number, or leave `only` out."),
    ("hunter", "use take food", "-> use"),
    ("hunter", "use as food", "Hunter has only one use. Type `use` without `as food`."),
    ("hunter", "use 2", "-> use; use"),
    ("hunter", "us 2", "-> use; use"),
    ("hunter", "use 3",
     ("Command 3 (use): No action with strength left is under way. Begin one with `play` or `village`, once a turn; "
      "each `use` takes 1 of its strength.")),
    ("hunter", "use 4", "'4' does not fit in 'use 4'; possible: only, how often (1 to 3)."),
    ("commander", "use as food 1", "-> use as food"),
    ("commander", "use 1 as food", "-> use as food"),
    ("lumberjack", "use 2", "-> use; use"),
    ("boone", "use 2 pay wood+fur",
     ("Command 2 (use pay fur+wood), after what was forced (stop): You cannot pay for a use of Daniel Boone (2 goods "
      "of any kind). You can spend 1 food and 1 Indian. So the action has ended.")),
    ("tuttle", "use pay wood", "-> use"),
    ("tuttle", "use pay canoe", "The price is fixed (1 wood). Type the command without `pay`."),
    ("tuttle", "use use", "'use' does not fit in 'use use'; possible: only."),
    ("boone", "use", "'use' fits several commands: use pay food+fur, use pay food+wood, use pay fur+wood."),
    ("boone", "use pay wood+fur", "-> use pay fur+wood"),
    ("boone", "use pay wood",
     "wood does not pay the price (2 goods of any kind). You can spend 1 food, 1 fur and 1 wood."),
    ("upgrade", "use as boat",
     "'boat' does not fit in 'use as boat'; possible: goods-2, goods-5, indians-1, indians-3."),
    ("upgrade", "use as goods-5 take wood+fur", "-> use as goods-5 take fur+wood"),
    ("upgrade", "use as indians-3", "-> use as indians-3"),
    ("farewell", "discard",
     ("'discard' fits several commands: discard blacksmith, discard commander, discard fur-trader, discard "
     "hunter, discard interpreter, discard lumberjack.")),
    ("done", "play hunter",
     "This command is not possible now. Possible: end, recruit CARD [discard DISCARD]."),
    ("covered", "under commander", "-> under commander showing 1-fur as role"),
    ("covered", "under commander showing 2-wood", "-> under commander showing 1-fur as role"),
    ("lumberjack", "use take wood+wood", "-> use only 2"),
    ("lumberjack", "use take wood", "-> use only 1"),
    ("lumberjack", "use take food",
     "You cannot choose food here. The goods are fixed, or `only` already gives their number. Leave `take` out."),
)  # fmt: skip


@pytest.mark.parametrize(("where", "typed", "answer"), SLIPS, ids=[f"{where}-{typed}" for where, typed, _ in SLIPS])
def test_a_slip_is_understood_or_answered(where: str, typed: str, answer: str) -> None:
    assert answered(game, POSITIONS[where], 0, typed) == answer


def test_there_are_at_least_forty_slips() -> None:
    assert len(SLIPS) >= 40
