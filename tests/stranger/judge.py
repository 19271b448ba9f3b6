"""Section 12: the audit of a verifier without rules."""

from tests.stranger import chance, game, offices
from tests.stranger.acts import read_act, read_move_text
from tests.stranger.bundle import Bundle, NoBundle
from tests.stranger.entries import instant, read_entry, version
from tests.stranger.lines import H, Newer, Refused, leaf, read, unbase
from tests.stranger.notes import notes_in

NAMES = ("chain", "signatures", "draws", "seals", "rules", "outcome", "note")
# Without rules these are never made to the end, so what they find is failure, and what they do not find says nothing.
PARTLY = {"rules", "outcome"}
NOT_LOOKED_AT = [
    "whether options, commands, events, states and the outcome are those of the rules",
    "whether the public draws are those that the rules ask for, and what was drawn where others may not look",
    "the seals of what each seat alone may see",
    "who owes an answer: whether a move or a grant of time was due, and deadlines beyond the earliest possible",
]


class Check:
    """One check: how many things it looked at, and the first that fails."""

    def __init__(self):
        self.count, self.failed, self.first, self.says = 0, False, None, ""

    def look(self, fault, position=None):
        """Counts a thing looked at; a fault is None or why it fails."""
        self.count += 1
        if fault and not self.failed:
            self.failed, self.first, self.says = True, position, fault

    def report(self, partly):
        good = None if partly or not self.count else True
        good = False if self.failed else good
        return {"ok": good, "count": self.count, "first_failure": self.first, "says": self.says}


class Judge:
    """Walks a bundle from entry 0 on."""

    def __init__(self, bundle, kept):
        self.bundle, self.kept, self.game = bundle, kept, None
        self.checks = {name: Check() for name in NAMES}
        self.holders, self.recoveries, self.attested, self.entries = [], [], 0, []
        self.last_draw, self.last_key, self.entropy, self.secret = 0, None, None, None

    def look(self, check, fault, position=None):
        self.checks[check].look(fault, position)

    def walk(self):
        for fault in self.bundle.faults:
            self.look("chain", fault)
        before = None
        for position, line in enumerate(self.bundle.entries):
            try:
                entry = read_entry(line)
            except Refused as fault:
                self.look("chain", str(fault), position)
                break
            if position == 0 and entry["kind"] != "created":
                self.look("chain", "entry 0 is not created", 0)
                break
            if position == 0:
                self.begin(entry)
            self.entry(position, entry, before)
            self.entries.append(entry)
            before = entry, leaf(line)
        self.finish()

    def unread(self):
        """The place of the first line that could not be read, from which on nothing was looked at; or None."""
        return len(self.entries) if len(self.entries) < len(self.bundle.entries) else None

    def begin(self, created):
        self.game = game.Game(created)
        self.last_key = unbase(created["chance"]["chain"], 32)

    def entry(self, position, entry, before):
        """One entry, judged by what stands before it."""
        at = instant(entry["at"])
        act, fault = None, None
        try:
            act = read_act(entry["jws"]) if entry.get("jws") is not None else None
        except Refused as refused:
            fault = str(refused)
        broken = (
            self.place_fault(position, entry, before)
            or (position and game.broken_law(self.game, entry, act))
            or outcome_fault(self.game, entry)
        )
        self.look("chain", broken or None, position)
        if position and entry["kind"] == "created":
            return
        if entry["kind"] == "started":
            self.mix()
        self.signature(position, entry, act, fault)
        self.draw(position, entry)
        if entry["kind"] in ("expired", "granted"):
            self.look("rules", game.clock_fault(self.game, entry, at), position)
        self.ending(position, entry)
        offices.apply(self.game, entry, act, self.holders)
        game.apply(self.game, entry, at)

    def place_fault(self, position, entry, before):
        if entry["seq"] != position:
            return "another seq than its place"
        if before is None:
            return None
        last, last_hash = before
        if entry["kind"] == "created":
            return "created comes once"
        if unbase(entry["prev"]) != last_hash:
            return "prev is not the hash of the entry before"
        if entry["game"] != last["game"]:
            return "another game"
        return "time goes back" if entry["at"] < last["at"] else None

    def signature(self, position, entry, act, fault):
        if "jws" not in entry and entry["kind"] != "moved":
            return
        if entry.get("jws", "") is None:
            return
        self.attested += "jws" not in entry
        self.look("signatures", offices.fault_of(self.game, entry, act, fault), position)
        seat = self.game.at(entry["seat"])
        if seat and act is not None and act.payload["act"] == "key" and offices.signs_recovery(seat, act):
            self.recoveries.append({"seq": entry["seq"], "seat": entry["seat"]})

    def mix(self):
        """E, if the nonce of everybody who sits is known."""
        people = [seat.person for seat in self.game.seats]
        if None not in people:
            self.entropy = chance.entropy(leaf(self.bundle.entries[0]), people)

    def draw(self, position, entry):
        """After a failure nothing more is looked at: what follows hangs on it."""
        draws = entry.get("draws")
        if draws is None or self.entropy is None or self.checks["draws"].failed:
            return
        most = self.game.created["chance"]["draws"]
        self.look("draws", chance.shown(draws, self.last_draw, self.last_key, self.entropy, most), position)
        self.last_draw, self.last_key = draws["first"] + len(draws["got"]) - 1, unbase(draws["key"])

    def ending(self, position, entry):
        """The secret that the end of the game shows gives L(0)."""
        if self.game.over or entry.get("secret") is None:
            return
        self.secret = unbase(entry["secret"], 32)
        pinned = self.game.created["chance"]
        good = chance.chain(self.secret, pinned["draws"]) == unbase(pinned["chain"], 32)
        self.look("outcome", None if good else "the secret does not give L(0)", position)

    def finish(self):
        whole = len(self.entries) == len(self.bundle.entries)
        for position, entry in enumerate(self.entries):
            if "events" in entry and (self.game.created["hidden"] or "seals" in entry):
                self.look("seals", self.seal_fault(entry), position)
        if whole and self.game is not None:
            self.extra_openings()
            self.data_files()
        self.note()

    def seal_fault(self, entry):
        """Why the seals of an entry are not as many as due, or not what its opening shows."""
        hidden, size = self.game.created["hidden"], self.game.created["seats"]
        if not hidden:
            return "seals in an open game"
        if len(entry.get("seals", [])) != size + 1:
            return "not one seal for each seat and one more"
        if self.secret is None:
            return None
        opening = self.bundle.openings.get(entry["seq"])
        if opening is None:
            return "no opening"
        if chance.seal(self.secret, entry["seq"], size, opening["events"]) != unbase(entry["seals"][size]):
            return "the opening shows other events than were sealed"
        return self.text_fault(entry, opening["move"])

    def text_fault(self, entry, text):
        """Why the text of a move is not the one whose hash stands in its entry."""
        promised = entry.get("sealed")
        if entry["kind"] == "moved" and "jws" in entry:
            try:
                promised = read_act(entry["jws"]).payload.get("sealed")
            except Refused:
                return None
        if (promised is None) is not (text is None):
            return "a text without a sealed move, or the other way round"
        if text is None:
            return None
        try:
            read_move_text(text.encode("ascii"))
        except Refused as fault:
            return f"the text of the move: {fault}"
        return None if chance.sealed(text.encode("ascii")) == unbase(promised) else "the text of another move"

    def extra_openings(self):
        """Openings of what has none, or before they are due."""
        due = self.game.created["hidden"] and self.secret is not None
        opened = {entry["seq"] for entry in self.entries if due and "events" in entry}
        for seq in sorted(set(self.bundle.openings) - opened):
            self.look("seals", "an opening that is not due", seq if seq < len(self.entries) else None)

    def data_files(self):
        promised, found = self.game.created["rules"]["data"] or {}, self.bundle.data
        if set(promised) != set(found):
            self.look("chain", "not the data files that entry 0 names")
        for name in set(promised) & set(found):
            good = H(found[name]) == unbase(promised[name])
            self.look("rules", None if good else f"{name} is not the file that entry 0 names", 0)

    def note(self):
        if self.bundle.note is None or self.bundle.note_fault:
            self.look("note", self.bundle.note_fault)
            return
        if self.game is None:
            return
        if self.bundle.note.number != len(self.bundle.entries):
            self.look("note", "the file's note is on another number of entries")
        self.look("note", *self.note_fault(self.bundle.note, "the file's note"))
        for kept in self.own_kept():
            self.look("note", *self.note_fault(kept, "the note that was kept"))

    def own_kept(self):
        """The kept notes that are on this game."""
        created = self.game.created if self.game else {"server": None, "game": None}
        return [note for note in self.kept if (note.server, note.game) == (created["server"], created["game"])]

    def note_fault(self, note, what):
        """Why a note is not one of the server on these entries, and the place of the entry that it contradicts."""
        created, lines = self.game.created, self.bundle.entries
        if (note.server, note.game) != (created["server"], created["game"]):
            return (f"{what} is of another game",)
        try:
            note.verify(unbase(created["server_key"]))
        except Refused as fault:
            return (f"{what}: {fault}",)
        if note.number > len(lines):
            return (f"{what} is newer: the file was cut",)
        if leaf(lines[note.number - 1]) != note.head:
            return f"{what} names another hash: the log was rewritten", note.number - 1
        return (None,)


def outcome_fault(it, entry):
    """Points of an outcome are those of every seat."""
    rows = entry["outcome"]["points"] if "outcome" in entry else []
    return None if all(len(row[1]) == len(it.seats) for row in rows) else "points of other seats"


def later(bundle):
    """Why a file is of a later version by its entry 0, or None."""
    try:
        version(read(bundle.entries[0]))
    except Newer as newer:
        return str(newer)
    except (Refused, IndexError):
        return None
    return None


def unknown(why):
    return {
        "verdict": "unknown", "stage": None, "why": why,
        "checks": {name: Check().report(True) for name in NAMES},
        "holders": [], "recoveries": [], "attested": 0, "unread_from": 0, "not_looked_at": ["the whole file"],
    }  # fmt: skip


def judge(data, kept=None):
    """The report on a bundle; `kept` is the text of a mail with a note that somebody kept."""
    try:
        bundle = Bundle(data)
    except (NoBundle, Newer) as fault:
        return unknown(str(fault))
    newer = later(bundle)
    if newer:
        return unknown(newer)
    it = Judge(bundle, [] if kept is None else notes_in(kept))
    it.walk()
    return report(it, unreadable=kept is not None and not it.own_kept())


def report(it, unreadable):
    stage = it.game.stage if it.game else None
    partly = PARTLY if it.unread() is None else set(NAMES) - {"note"}
    failed = any(check.failed for check in it.checks.values())
    sealed = stage == "running" and it.game.created["hidden"]
    lost = stage == "cancelled" and it.secret is None
    verdict = "fails" if failed else "unknown" if unreadable else "open" if sealed or lost else "holds"
    return {
        "verdict": verdict, "stage": stage, "why": "no note on this game beside the file" if unreadable else "",
        "checks": {name: check.report(name in partly) for name, check in it.checks.items()},
        "holders": it.holders, "recoveries": it.recoveries, "attested": it.attested,
        "unread_from": it.unread(), "not_looked_at": NOT_LOOKED_AT,
    }  # fmt: skip
