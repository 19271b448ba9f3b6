"""Sections 4.2 to 4.5: what the entries make of a game's seats, the order of kinds, and the earliest deadlines."""

AFTER = {"moved", "offered", "taken", "resigned", "expired", "granted"}
BEFORE = {"joined", "left", "started"}
JOINS, OFFERS, TAKES = 256, 16, 8


class Seat:
    """One place of a game. `keys`: kid -> public key, those in force; `row`: answers given by the clock in a row."""

    def __init__(self):
        self.sits = self.open = self.resigned = False
        self.offers = self.takes = self.row = 0
        self.start = self.question = 0
        self.empty()

    def empty(self):
        """Nobody holds it."""
        self.sits, self.keys, self.recovery, self.person = False, {}, None, None
        self.by_keys = self.by_recovery = 0

    def came_back(self, at, absent):
        """Its absence ends, if it was absent, and its stretch begins anew."""
        self.row = 0
        if absent:
            self.start = at


class Game:
    """What stands after the entries read so far."""

    def __init__(self, created):
        self.created = created
        self.seats = [Seat() for _ in range(created["seats"])]
        self.started = self.over = False
        self.joins = 0
        self.stage = "lobby"
        self.held = set()  # every kid that holds or has held a seat, those that left with one not counted

    def at(self, number):
        return self.seats[number] if number < len(self.seats) else None

    def absent(self, seat):
        clock = self.created["clock"]
        return bool(clock and clock["missed"] and not seat.resigned and seat.row >= clock["missed"])

    def may_change(self, how):
        return self.created["handover"] in (how, "both")


def named(entry):
    """The seats that an entry names."""
    return entry["seats"] if entry["kind"] == "granted" else [entry["seat"]] if "seat" in entry else []


def in_outcome(entry):
    """The seats that its outcome names."""
    outcome = entry.get("outcome") or {"places": [], "out": []}
    return [seat for place in outcome["places"] for seat in place] + outcome["out"]


def broken_law(game, entry, act):
    """The code of the first law of the check `chain` (4.2) that an entry breaks, or None."""
    return next((code for code, holds in laws(game, entry, act) if not holds), None)


def laws(game, entry, act):
    kind = entry["kind"]
    yield "game-over", not game.over
    yield "not-started", kind not in AFTER or game.started
    yield "already-started", kind not in BEFORE or not game.started
    yield "no-such-seat", all(seat < len(game.seats) for seat in named(entry) + in_outcome(entry))
    seat = game.seats[entry["seat"]] if "seat" in entry else None
    yield "seat-taken", kind != "joined" or not seat.sits
    yield "seat-empty", kind not in {"left", "keyed"} or seat.sits
    yield "too-many-joins", kind != "joined" or game.joins < JOINS
    yield "not-full", kind != "started" or all(each.sits for each in game.seats)
    yield "already-resigned", kind not in {"resigned", "offered", "taken"} or not seat.resigned
    if kind == "offered" and act is not None:
        opens = act.payload.get("open") is True
        yield "no-handover", not opens or game.may_change("offer")
        yield "same-offer", not seat.open if opens else seat.open or game.absent(seat)
        yield "too-many-offers", not opens or seat.offers < OFFERS
    if kind == "taken":
        yield "not-free", seat.open or (game.absent(seat) and game.may_change("absent"))
        yield "too-many-takes", seat.takes < TAKES


def clock_fault(game, entry, at):
    """What can be said without rules of the laws that 4.2 counts under `rules`: the code of one broken, or None."""
    clock, kind = game.created["clock"], entry["kind"]
    if kind == "granted":
        gone = any(seat is not None and seat.resigned for seat in map(game.at, entry["seats"]))
        return "no-clock" if not clock else "seat-gone" if gone else None
    seat = game.at(entry["seat"]) if kind == "expired" else None
    if seat is None:
        return None
    earliest = earliest_deadline(game, seat)
    return "not-due" if earliest is None or at < earliest else None


def earliest_deadline(game, seat):
    """The earliest that is possible (4.4, a hidden game that runs); None if the seat has none."""
    clock = game.created["clock"]
    if seat.resigned:
        return seat.question
    if not clock:
        return None
    return seat.start + clock["grace"] + (0 if game.absent(seat) else clock["move"])


def apply(game, entry, at):
    """What an entry does to time, stage and handover; offices (who holds which key) are changed elsewhere."""
    kind = entry["kind"]
    if kind == "started":
        game.started, game.stage = True, "running"
        for seat in game.seats:
            seat.start = seat.question = at
    if kind == "cancelled" or "outcome" in entry:
        game.over, game.stage = True, "cancelled" if kind == "cancelled" else "finished"
    seat = game.at(entry["seat"]) if "seat" in entry else None
    if seat is not None:
        DOES.get(kind, nothing)(game, seat, at)


def nothing(game, seat, at):
    """Entries of this kind change no times."""


def moved(game, seat, at):
    seat.came_back(at, game.absent(seat))
    seat.question = at


def keyed(game, seat, at):
    seat.came_back(at, game.absent(seat))


def expired(game, seat, at):
    seat.row += 1
    seat.start = seat.question = at


def taken(game, seat, at):
    """A seat that was open keeps its stretch, absent or not (4.5)."""
    seat.came_back(at, game.absent(seat) and not seat.open)
    seat.open = False
    seat.takes += 1


def joined(game, seat, at):
    game.joins += 1


def resigned(game, seat, at):
    seat.resigned, seat.open = True, False


DOES = {
    "moved": moved, "keyed": keyed, "offered": keyed, "expired": expired,
    "taken": taken, "joined": joined, "resigned": resigned,
}  # fmt: skip


def opened(seat, opens):
    """What `open` of an `offered` does."""
    seat.open = opens
    seat.offers += opens
