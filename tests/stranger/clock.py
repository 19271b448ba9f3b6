"""Sections 4.4 and 4.5, counted exactly: each seat's bank and deadline, where one knows who owes."""

BACK = {"moved", "keyed", "offered", "taken"}


class Timer:
    """The time of one seat. `start` is None while it owes nothing; `row` counts `expired` since it was last there."""

    def __init__(self, clock):
        self.clock = clock
        self.bank = clock["bank"] if clock else None
        self.start = self.question = None
        self.granted = self.row = 0
        self.open = self.resigned = False

    @property
    def absent(self):
        return bool(self.clock and self.clock["missed"] and not self.resigned and self.row >= self.clock["missed"])

    def deadline(self):
        if self.start is None or not (self.resigned or self.clock):
            return None
        if self.resigned:
            return self.question
        own = 0 if self.absent else self.clock["move"] + self.bank
        return self.start + own + self.granted + self.clock["grace"]

    def named(self, entry):
        """An entry that is about this seat, before it is asked who owes after it."""
        kind, at = entry["kind"], entry["at"]
        if kind in BACK:
            self.back(kind, at)
        if kind == "granted" and self.start is not None:
            self.granted += entry["seconds"]
        elif kind == "expired":
            self.row += 1
        elif kind == "offered":
            self.open = entry["open"]
        elif kind in ("taken", "resigned"):
            self.open = False
        self.resigned = self.resigned or kind == "resigned"

    def back(self, kind, at):
        """Its absence ends; taking an open seat keeps its bank and its stretch."""
        anew = self.absent and not (kind == "taken" and self.open)
        if anew and self.start is not None:
            self.start = at
        if anew and kind == "taken":
            self.bank = max(self.bank, self.clock["bank"])
        self.row = 0

    def owes(self, now, entry, named, *, asks):
        """Begins and ends stretches, by whether the seat owes after the entry and its move asks somebody else."""
        kind, at = entry["kind"], entry["at"]
        if named and asks and self.start is not None:
            self.owes(False, entry, named, asks=False)
        if now and self.start is None:
            self.start = self.question = at
            self.granted = 0
        elif now and named and kind in ("moved", "expired"):
            self.question = at
        elif not now and self.start is not None:
            if self.clock:
                self.pay(at, won=named and kind == "moved")
            self.start = None

    def pay(self, at, won):
        self.bank = max(0, self.bank - max(0, at - self.start - self.granted - self.clock["move"]))
        if won:
            self.bank = min(self.bank + self.clock["increment"], self.clock["cap"])


def step(timers, entry):
    """One entry: `kind`, `at`, the `seats` it names, `owing` those that owe after it."""
    asked = {number for number in entry["owing"] if timers[number].start is None}
    for number, timer in enumerate(timers):
        named = number in entry["seats"]
        if named:
            timer.named(entry)
        asks = entry["kind"] == "moved" and bool(asked - {number})
        timer.owes(number in entry["owing"], entry, named, asks=asks)
