"""What would do after a refusal, by its code: a sentence for a person at a terminal.

A code without a line here has its say in the server's own words; a status then tells the kind of thing to do.
"""

from __future__ import annotations

LOOK = "Look again: `sealedmove show GAME`."
AGAIN = "Try it again in a while; what was signed is sent again by itself, byte for byte."
OPERATOR = "Nothing has changed. Try it again in a while; if it stays so, write to the server's operator."
OURS = "This is a fault of this program, or it is older than the server: bring it up to date."

DO: dict[str, str] = {
    "already-resigned": "There is nothing more to do in this game: the clock plays for the seat.",
    "already-seated": "You sit there already: `sealedmove play GAME`.",
    "already-started": "Whoever wants to leave a running game resigns: `sealedmove resign GAME`.",
    "ambiguous": "Type more of it, until one meaning is left.",
    "asked-too-long-ago": "Sign in again on the new machine, and let it in within ten minutes.",
    "bad-clock": "`move` and `bank` together, and `grace`, are at least a minute; a bank is at most its cap.",
    "bad-code": "Type all seven groups of the code, with or without hyphens.",
    "bad-fields": "Mend what is named, and send it again.",
    "bad-link": "Ask for a new link: `sealedmove login ADDRESS`. A link works once, for half an hour.",
    "bad-notation": "Type it as it is expected there; Tab shows what is legal, `sealedmove new GAME --guide` explains.",
    "bad-options": "See what the game takes: `sealedmove new TYPE --list`.",
    "bad-seats": "See how many may play: `sealedmove new`.",
    "bad-token": "Sign in again: `sealedmove login ADDRESS`.",
    "dropped-key": "Another key of the seat, or its recovery key, brings it back: `sealedmove keys recover`.",
    "game-full": "Open a table of your own, `sealedmove new`, or take a seat elsewhere: `sealedmove games --open`.",
    "game-over": "See how it ended: `sealedmove show GAME`.",
    "game-stopped": "Its operator has been told, and no clock runs. Wait.",
    "held-another-seat": "Only somebody else can take this seat.",
    "joined-too-often": "Choose another table: `sealedmove games --open`.",
    "key-owned": "The key belongs to another account: sign in as that one, or move the key file away for a new key.",
    "key-taken": "Use another key: `SEALEDMOVE_HOME` names another folder with keys of its own.",
    "last-key": "Add another key first: `sealedmove keys add KID GAME`.",
    "lines-missing": AGAIN,
    "missing-scope": "Sign in by mail: `sealedmove login ADDRESS`. For an hour that token may do everything.",
    "new-key": "Let it in where you play: `sealedmove keys add KID`; or by the code: `sealedmove keys box open`.",
    "needs-yes": "Say `--yes` if you want it, or do it at a terminal.",
    "nobody": "Sign in first: `sealedmove login ADDRESS --at https://SERVER`.",
    "no-answer": AGAIN,
    "no-box": "Make one where you can sign: `sealedmove keys box save`.",
    "no-seat": "Join it first: `sealedmove join GAME`.",
    "no-server": "Write it whole: `sealedmove login ADDRESS --at https://SERVER`.",
    "no-such-game": "See which there are: `sealedmove games`, `sealedmove games --open`.",
    "no-such-seat": "Seats count from 1: `sealedmove show GAME` lists them.",
    "not-a-key": "See which keys the seat has: `sealedmove keys list GAME`.",
    "not-active": "Wait for your turn: `sealedmove play GAME --wait 600`, or for the mail.",
    "not-free": "A seat can be taken once its holder has offered it or is absent.",
    "not-full": "It starts when every seat is taken.",
    "not-now": "See what is possible: `sealedmove show GAME --legal`.",
    "not-recovery": "Name the file of the seat's recovery key: `--recovery FILE`.",
    "not-signed-in": "Sign in first: `sealedmove login ADDRESS`.",
    "not-started": "It starts when every seat is taken.",
    "not-written-out": "Write the move as it is given there, or play at a terminal, where you are asked.",
    "not-yet": "Wait, or set this machine's clock.",
    "nothing-owed": "Time is given to whoever owes a move, by somebody else.",
    "not-creator": "Ask the person who opened the table.",
    "nothing-done": "Leave `try` out, and the rules say why.",
    "same-offer": LOOK,
    "seat-gone": LOOK,
    "seat-taken": "Take another seat: `sealedmove join GAME`.",
    "seat-taken-over": "There is nothing more to do in this game: somebody else plays the seat.",
    "stale-head": LOOK,
    "too-many-requests": AGAIN,
    "unavailable": AGAIN,
    "unknown-game": "See which there are: `sealedmove new`.",
    "unknown-key": "Join it first: `sealedmove join GAME`.",
    "unregistered-key": "Sign in again, which registers this machine's key: `sealedmove login ADDRESS`.",
    "unsettled": "Wait until it is settled; or sign all the same with `--either`, knowing that either may be logged.",
    "unsigned-table": "Say `--unsigned` when you join, if you agree to that.",
    "usage": "See what it takes: `--help`.",
    "wrong-code": "A newer code may have taken its place. Look where you keep it, and type it again.",
    "wrong-seat": "Another key plays the seat: `sealedmove keys list GAME`.",
}
DISTRUST = (
    "Nothing is signed in this game any more. What was shown is kept; show it to the other players, and compare: "
    "`sealedmove compare`."
)


def advice(code: str, status: int | None = None) -> str:
    """What would do; never nothing."""
    if code in DO:
        return DO[code]
    if status is not None and status >= 500:
        return OPERATOR
    return LOOK if status in (None, 403, 404, 409, 410, 422) else OURS
