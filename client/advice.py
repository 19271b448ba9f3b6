"""Advice after a refusal, by its code: a sentence for a person at a terminal.

For a code without a line here the server's own sentence is shown, and its status decides the advice.
"""

from __future__ import annotations

LOOK = "The game has moved on. Look again: `sealedmove show GAME`."
AGAIN = "Try again in a while. Anything you have signed is sent again automatically, byte for byte."
OPERATOR = "Nothing has changed. Try again in a while; if the error persists, write to the server's operator."
OURS = "This is a bug in this program, or it is older than the server. Update it."

DO: dict[str, str] = {
    "access_denied": 'Sign in again, and press "Sign the program in" on the page: `sealedmove login --device`.',
    "account-blocked": "Ask the server's operator. Your running games go on: sign your moves as before.",
    "already-resigned": "There is nothing more to do in this game: the server plays default moves for the seat.",
    "already-seated": "You have a seat there already: `sealedmove play GAME`.",
    "already-started": "To leave a running game, resign: `sealedmove resign GAME`.",
    "ambiguous": "Type more of the command, until only one meaning is left.",
    "asked-too-long-ago": "Sign in again on the new machine, and approve it within ten minutes.",
    "bad-clock": "Use at least a minute for `move` and `bank` together and for `grace`, and a bank of at most its cap.",
    "bad-code": "Type all seven groups of the code, with or without hyphens.",
    "bad-fields": "Correct the fields named above, and send the request again.",
    "bad-link": "Request a new link: `sealedmove login ADDRESS`. A link works once, within half an hour.",
    "bad-notation": "Correct the command. Tab shows the legal ones, and `sealedmove new GAME --guide` explains "
    "the notation.",
    "bad-options": "List the game's options: `sealedmove new TYPE --list`.",
    "bad-seats": "See how many players each game takes: `sealedmove new`.",
    "bad-token": "Sign in again: `sealedmove login ADDRESS`.",
    "dropped-key": "Use another key of the seat, or recover the seat with its recovery key: `sealedmove keys recover`.",
    "expired_token": "Sign in again, and type the code within ten minutes: `sealedmove login --device`.",
    "game-full": "Open a table of your own with `sealedmove new`, or find a free seat with `sealedmove games --open`.",
    "game-over": "See how it ended: `sealedmove show GAME`.",
    "game-stopped": "Wait. The server's operator has been notified, and no clock runs.",
    "held-another-seat": "Only another player can take this seat.",
    "joined-too-often": "Choose another table: `sealedmove games --open`.",
    "key-owned": "Sign in to the account that the key belongs to, or move the key file away to get a new key.",
    "last-key": "Add another key first: `sealedmove keys add KID GAME`.",
    "lines-missing": AGAIN,
    "missing-scope": "Sign in by email: `sealedmove login ADDRESS`. Its token has every scope for an hour.",
    "new-key": "Approve the key on a machine where you play, `sealedmove keys add KID`, or use your recovery "
    "code: `sealedmove keys box open`.",
    "needs-yes": "Add `--yes` to confirm, or run the command at a terminal.",
    "nobody": "Sign in first: `sealedmove login ADDRESS --at https://SERVER`.",
    "no-answer": AGAIN,
    "no-box": "Make a key backup on a machine that can sign: `sealedmove keys box save`. With the file of a recovery "
    "key, run `sealedmove keys recover FILE`.",
    "no-seat": "Join it first: `sealedmove join GAME`.",
    "no-server": "Write the whole address: `sealedmove login ADDRESS --at https://SERVER`.",
    "no-such-game": "List the games: `sealedmove games`, `sealedmove games --open`.",
    "no-such-seat": "Seats count from 1: `sealedmove show GAME` lists them.",
    "not-a-key": "List the keys of the seat: `sealedmove keys list GAME`.",
    "not-active": "Wait for your turn with `sealedmove play GAME --wait 600`, or for the email.",
    "not-free": "Wait until the holder of the seat offers it or is absent.",
    "not-full": "Wait. The game starts when every seat is taken.",
    "not-now": "List the legal commands: `sealedmove show GAME --legal`.",
    "not-recovery": "Sign with the recovery key of the seat: `sealedmove keys recover FILE`.",
    "not-signed-in": "Sign in first: `sealedmove login ADDRESS`.",
    "not-started": "Wait. The game starts when every seat is taken, at some tables once everyone is ready: "
    "`sealedmove ready GAME`.",
    "not-written-out": "Write the move exactly as given there, or play at a terminal, which asks you.",
    "not-yet": "Wait, or correct this machine's clock.",
    "offer-waits": "Wait until then. Its holder may still withdraw the offer.",
    "nothing-owed": "Name another seat: you can give more time only to others who owe a move.",
    "not-asked": "Ask for a pause yourself: `sealedmove pause GAME 3d --ask`.",
    "not-certain": "Sign in with the account that holds the seat, so that it names the seat.",
    "not-host": "Ask the host of the table.",
    "nothing-done": "Leave out `try` to see why the rules refuse the command.",
    "pause-too-long": "Ask all players for a pause: `sealedmove pause GAME 3d --ask`.",
    "same-offer": LOOK,
    "seat-gone": LOOK,
    "seat-kept": "Take a seat that is not reserved: `sealedmove join GAME`. If all are, ask the table's host to "
    "withdraw an invitation.",
    "seat-taken": "Take another seat: `sealedmove join GAME`.",
    "seat-taken-over": "There is nothing more to do in this game: another player has the seat.",
    "stale-head": LOOK,
    "starts-full": "Wait. The game starts when every seat is taken, whether or not anyone says that they are ready.",
    "too-many-requests": AGAIN,
    "unavailable": AGAIN,
    "unknown-game": "List the games: `sealedmove new`.",
    "unknown-key": "Join it first: `sealedmove join GAME`.",
    "unregistered-key": "Sign in again to register this machine's key: `sealedmove login ADDRESS`.",
    "unsettled": "Wait until the first act is settled, or sign anyway with `--either`: then either of the two "
    "may be logged.",
    "unsigned-table": "Add `--unsigned` to join if you agree to that.",
    "usage": "See the options: `--help`.",
    "wrong-code": "Check the code and type it again. You may have a newer one.",
    "wrong-seat": "See which key plays the seat: `sealedmove keys list GAME`.",
}
DISTRUST = (
    "Nothing more is signed in this game. The evidence is kept: show it to the other players, and compare with "
    "`sealedmove compare`."
)


def advice(code: str, status: int | None = None) -> str:
    """Advice for any refusal."""
    if code in DO:
        return DO[code]
    if status is not None and status >= 500:
        return OPERATOR
    return LOOK if status in (None, 403, 404, 409, 410, 422) else OURS
