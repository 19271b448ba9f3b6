"""Games that hold, and games that are still partly hidden."""

from __future__ import annotations

from engine import golden, registry, replay
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.tikal.meta import TikalOptions
from engine.kit import dump_steps, parse
from engine.record.compose import entries as c
from engine.record.encoding import canonical
from tests.audit.bundles.good_hands import Bundles, hands, recovered
from tests.audit.bundles.tools import OTHER, ROLL, SHORT, bids, pig, signed_text, turn_of
from tests.games.discoveries import policy
from tests.kit.play_record import Record, bundle_of, seed_of
from tests.kit.play_record import acts as a


def good() -> Bundles:
    yield from stages()
    yield from clocks()
    yield from hands()
    yield from unseen()
    yield from games()


def stages() -> Bundles:
    lobby = pig(start=False)
    lobby.join(1)
    yield "open-lobby", lobby.bundle()
    yield "open-running", pig().play(2).bundle()
    yield "open-finished", pig().play().bundle()
    yield "open-cancelled", cancelled(pig().play(2)).bundle()
    yield "hidden-finished", bids(seats=3).play().bundle()
    yield "hidden-cancelled", cancelled(bids().play(1)).bundle()
    yield "members-in-any-order", in_any_order()
    yield "everything", everything().bundle()


def cancelled(record: Record) -> Record:
    record.cancel()
    return record


def in_any_order() -> bytes:
    """Payload and header of a JWS, members turned round."""
    record = pig()
    payload = a.move(**record.where(0), commands=ROLL)
    turned = ",".join(f'"{name}":{canonical.dumps(payload[name]).decode()}' for name in sorted(payload, reverse=True))
    kid = record.table.occupants[0].kid  # type: ignore[union-attr]  # seat 0 is taken
    jws = signed_text(record.seeds[0], f"{{{turned}}}", f'{{"typ":"sealedmove+jws","kid":"{kid}","alg":"EdDSA"}}')
    record.put(
        c.compose_moved(record.table, record.secret, record.at, c.admission.check_act(record.table, jws, record.now))
    )
    return record.bundle()


# --- time -------------------------------------------------------------------------------------------------------------


def clocks() -> Bundles:
    yield "clock-none", pig(clock=None).play().bundle()
    yield "clock-turn-in-pieces", in_pieces().bundle()
    yield "clock-bank-used", bank_used().bundle()
    yield "clock-granted", granted().bundle()
    yield "clock-grants-used-up", grants_used_up().bundle()
    yield "clock-outage-beyond-all-grants", outage().bundle()
    yield "clock-absent-and-back", back().bundle()
    yield "clock-resigned-played-at-once", resigned().bundle()


def in_pieces() -> Record:
    """Two rolls a while apart, then the clock, to the second: the turn had one time."""
    record = pig(clock=SHORT)
    while record.table.active == (0,) and record.table.state.rolls < 2:
        record.move(0, ROLL)
        record.now += 200
    record.expire(record.table.active[0])
    return record.play()


def bank_used() -> Record:
    """Seat 0 takes 100 seconds from its bank, gains 60, and has the rest the next time."""
    record = pig(goal=40, clock=SHORT)
    for late in (100, 0, 0):
        record.now += SHORT["move"] + late - 60
        seat = record.table.active[0]
        record.move(seat, [*ROLL, {"try": {"do": "hold"}}])
    record.expire(record.table.active[0])
    return record.play()


def granted() -> Record:
    record = pig(clock=SHORT)
    record.grant([0], 3600)
    record.grant([0], 1)
    record.expire(0)
    return record.play()


def grants_used_up() -> Record:
    """To the second, by 64 entries, the last for a reason that nobody knows."""
    record = pig(clock=SHORT)
    for _ in range(63):
        record.grant([0], 100)
    record.grant([0], SHORT["grants"] - 6300, "wedding")
    return record.play()


def outage() -> Record:
    record = grants_used_up_before_the_end()
    record.grant(record.table.active, 10**6, "outage")
    return record.play()


def grants_used_up_before_the_end() -> Record:
    record = pig(clock=SHORT)
    record.grant([0], SHORT["grants"])
    return record


def back() -> Record:
    """Absent after one missed turn; played after the grace alone; then there again by a word of its own."""
    record = pig(goal=50, clock=SHORT)
    record.expire(0)
    turn_of(record, 0).expire(0)
    turn_of(record, 0).offer(0, is_open=False)
    return turn_of(record, 1)


def resigned() -> Record:
    record = pig(seats=3)
    record.resign(0)
    record.expire(0)
    return record.play()


# --- partly hidden ----------------------------------------------------------------------------------------


def unseen() -> Bundles:
    yield "hidden-running", bids(seats=3).play(2).bundle()
    yield "hidden-running-everything", everything(whole=False).bundle()
    yield "hidden-cancelled-secret-lost", lost(bids().play(2))
    yield "open-cancelled-secret-lost", lost(pig().play(2))


def lost(record: Record) -> bytes:
    record.put(c.compose_cancelled(record.table, None, record.at, "lost"))
    return bundle_of(record.lines)


def everything(*, whole: bool = True) -> Record:
    """A hidden game of four with every kind of entry in it, the end by the rules; or as it was running."""
    record = bids(
        seats=4, unsigned=True, start=False, handover="both", clock=SHORT, terms=canonical.to_base64url(OTHER)
    )
    for seat in (2, 0, 1, 3):
        record.join(seat, bot=seat == 3, recovery=seed_of(0, 50) if seat == 0 else None)
    record.leave(1)
    record.join(1)
    record.remove(1)
    record.join(1)
    record.start()
    recovered(record)
    record.add_key(2)
    record.unsigned(0, [{"do": "bid", "amount": 1}])
    record.grant([1, 2], 600)
    record.resign(3)
    record.expire(3)
    record.drop_key(2, record.table.occupants[2].keys[0][0])  # type: ignore[union-attr]  # seat 2 is taken
    record.expire(1)
    record.take(1)
    record.offer(2)
    record.offer(2, is_open=False)
    record.offer(2)
    record.take(2, bot=True)
    return record.play() if whole else record


# --- the games --------------------------------------------------------------------------------------------------------


def games() -> Bundles:
    yield "livingstone-finished", Record("livingstone", seed=2).play().bundle()
    yield "livingstone-running", Record("livingstone", seats=3, seed=2).play(12).bundle()
    yield "tikal-finished", Record("tikal", seed=2).play().bundle()
    auction = TikalOptions(variant="auction")
    yield "tikal-auction-running", Record("tikal", seats=3, seed=2, options=auction).play(40).bundle()
    yield "discoveries-finished", explored(rules=1).bundle()
    yield "discoveries-2-finished", explored(rules=2).bundle()
    yield "lewis-clark-finished", Record("lewis_clark", seats=1, seed=9, rules=1).play().bundle()
    yield "lewis-clark-running", Record("lewis_clark", seats=3, seed=2, rules=1).play(40).bundle()
    yield "lewis-clark-2-finished", Record("lewis_clark", seats=1, seed=9, rules=2).play().bundle()
    yield "lewis-clark-3-finished", stuck().bundle()
    yield "lewis-clark-3-covered-finished", covered(rules=3, seed=2).bundle()
    yield "lewis-clark-4-finished", covered(rules=4, seed=6).bundle()


def stuck() -> Record:
    """The moves of a golden game: the clocks of a seat that can take no action, and of its rival."""
    script = golden.read(registry.read("lewis_clark", "golden/two-stuck.txt"))
    record = Record("lewis_clark", seed=2, rules=3)  # seat 0 begins
    for seat, text in script.moves:
        if text == "clock":
            record.expire(seat)
        elif text == "resigns":
            record.resign(seat)
        else:
            record.move(seat, dump_steps(parse(record.game, text)))
    return record


def covered(rules: int, seed: int) -> Record:
    """A recruit and a role of the same strength and badge, both face down: since version 4 their backs differ."""
    options = LewisClarkOptions(covered="hidden")
    record = Record("lewis_clark", seats=3, seed=seed, options=options, rules=rules)  # seat 0 begins
    for seat, text in (
        (0, "play hunter; under lumberjack; use; recruit moses-b-reed; end"),
        (1, "play hunter; under blacksmith; use; end"),
        (2, "play lumberjack; under interpreter; use; use; end"),
        (0, "play blacksmith; under moses-b-reed; use; end"),
        (1, "play interpreter; under commander; gather 0; end"),
        (2, "play commander; under fur-trader; use as food; camp; end"),
        (0, "play interpreter; under fur-trader; gather 0; end"),
    ):
        record.move(seat, dump_steps(replay.read(record.game, record.table.state, seat, text)))
    record.resign(1)
    record.resign(2)
    return record


def explored(rules: int) -> Record:
    """Played with purpose, a whole turn a move: a random game of Discoveries seldom explores."""
    record = Record("discoveries", seed=2, rules=rules)
    while not record.table.is_over:
        seat = record.table.active[-1]
        record.move(seat, dump_steps(policy.whole_turn(record.table.state, seat)))
    return record
