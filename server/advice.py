"""What to do about a problem, by its code: for the pages at `/problems/<code>`, to which the `type` of each points.

Statuses and titles stand in `errors.py`, the record's laws in `engine/record/order.py`; a test holds that no code is
without its advice. A code of a game's rules has the game's own sentence, and what may be done says `legal`.
"""

from __future__ import annotations

from collections.abc import Mapping

_HEAD = "Read the game again, look at what was missed, and sign upon the new `head`."
_KEY = "Sign with a key that the seat has now: the game's log says which."
_LEGAL = "Ask `legal` for what your seat may do now, or try it with `preview`."
_LATER = "Send the same again when `Retry-After` says."
_SAME = "Send the same bytes again later; an act is logged once, however often it is sent."
_FREE = "Look for a game with `GET /v1/games?free=true`."
_ADDRESS = "Check the address; perhaps it was cut off on its way."
_OWN = "Nothing: it is as it should be for everybody else, too."

ADVICE: Mapping[str, str] = {
    "bad-request": "Send one JSON value as UTF-8; `facts` say where reading it ended.",
    "bad-fields": "`errors` name each field and what it must be; the API's document has the whole schema.",
    "unknown-parameter": "`facts` name what was found and what this address takes.",
    "not-signed-in": "Send `Authorization: Bearer` and an API token; signing in gives one.",
    "bad-token": "Sign in again, or make a new token.",
    "missing-scope": "Use a token that has the scope which `facts` name.",
    "not-yours": _OWN,
    "no-seat": "Sit down first, or ask without a token for what anybody may see.",
    "not-found": _ADDRESS,
    "no-such-game": _ADDRESS,
    "method-not-allowed": "The header `Allow` says what does something here.",
    "not-acceptable": "Ask for another form, or leave `Accept` out.",
    "bad-link": "Ask for a new link; the newest mail has it.",
    "bad-challenge": "Ask for a new nonce, and sign it within ten minutes.",
    "too-large": "Send less: `facts` say how much is read.",
    "not-json": "Send JSON, with `Content-Type: application/json`.",
    "key-owned": "Register another key; whose this one is it stays.",
    "unregistered-key": "Register the key with your account first, at `/v1/me/keys`.",
    "already-seated": "An account has one seat in a game; leave it before the start to take another.",
    "held-another-seat": "Take another game, or the seat that you held.",
    "joined-too-often": _FREE,
    "own-seat": "Ask the operator of the server, or an opponent who made the game.",
    "too-many-grants": "The operator of the server can still grant time.",
    "wrong-act": "Send the act to the address that takes it: `facts` name both.",
    "not-creator": "Ask whoever made the game.",
    "idempotency-reused": "Make a new key for a new request.",
    "lines-missing": "Show what you have: hand the missing lines in at `missing`. Nothing is lost that a player has.",
    "fork": "Keep the note: it is evidence. The operator decides whether the game can go on.",
    "broken-lines": "Hand in the lines exactly as they were written, one after the other.",
    "unproven-lines": "Add the note that goes with the last line: a mail or your program has it.",
    "not-stopped": "Nothing: the game goes on already.",
    "line-refused": "Wait for the operator, who has been told.",
    "bad-hook-url": "Give an address with https that anybody can reach.",
    "too-many-hooks": "Remove a webhook that you do not need.",
    "hook-paused": "Let the webhook go on first.",
    "ping-waits": "Wait until the test that was sent before has been answered.",
    "no-such-event": "Ask for events that are kept; `GET /v1/me/turns` says how it stands now.",
    "game-stopped": "Wait for the operator, who has been told. Nothing is lost, and no clock runs meanwhile.",
    "too-many-requests": _LATER,
    "wait-too-long": "Ask for a shorter wait; `facts` say how long one may be.",
    "no-place": "Ask without waiting, or again when `Retry-After` says.",
    "no-streams": "Ask again when `Retry-After` says, or poll.",
    "unavailable": f"{_SAME} `Retry-After` says when.",
    "engine-fault": "Wait for the operator, who has been told; nothing was logged.",
    "internal-error": f"{_SAME} The operator has been told.",
    "wrong-audience": "Sign for the server that you talk to: its host is `aud`.",
    "other-type": "Ask the game for its `type`, and send that or none.",
    "wrong-game": "Sign for the game of the address.",
    "no-such-seat": "Count seats from 0, up to one less than the game has.",
    "unknown-key": _KEY,
    "wrong-seat": _KEY,
    "dropped-key": _KEY,
    "bad-signature": "Sign the bytes that you send, by Ed25519, with the key that the header names.",
    "wrong-key": _KEY,
    "game-over": "Nothing follows; the whole game is at `bundle`.",
    "not-started": "Wait until every seat is taken.",
    "already-started": "It cannot be undone now; a seat may be offered or resigned.",
    "seat-taken": "Take another seat that is free.",
    "seat-empty": "Name a seat at which somebody sits.",
    "too-many-joins": _FREE,
    "not-full": "Wait until every seat is taken.",
    "already-resigned": "Nothing: the clock plays the seat.",
    "no-handover": "Play on, or resign: in this game seats do not change hands that way.",
    "same-offer": "Nothing: the seat is as you want it.",
    "too-many-offers": "Leave the seat as it is now.",
    "not-free": "Wait until its holder offers the seat or is absent.",
    "too-many-takes": _FREE,
    "key-taken": "Make a new key for each seat that you take.",
    "recovery-only": "Sign this with the seat's recovery key.",
    "not-recovery": "Sign this with a key of the seat that is no recovery key.",
    "recovery-stays": "Replace the recovery key; it is not dropped.",
    "not-a-key": "Name a key that the seat has: the game's log says which.",
    "last-key": "Add another key first.",
    "too-many-keys": "Drop a key that you do not need.",
    "stale-head": f"{_HEAD} `unchanged` says that nothing has changed for you.",
    "unknown-head": f"{_HEAD} If your own copy has that entry, compare your notes with the game.",
    "wrong-form": "In a hidden game sign `sealed` and send `text`; in an open one sign `commands`.",
    "unsigned-move": "Sign the move with a key of the seat.",
    "not-due": "Wait for the deadline.",
    "not-active": "Wait for your turn: `GET /v1/me/turns` tells of it.",
    "no-clock": "Nothing: nobody is hurried here.",
    "seat-gone": "Nothing: who sat there has resigned, and the clock plays the seat.",
    "nothing-owed": "Name seats that owe a move now.",
    "unknown-game": "`GET /v1/types` names the games that are played here.",
    "unknown-level": "`facts` name the levels that there are.",
    "game-out": "Wait for the operator: this server cannot load the game now.",
    "bad-seats": "`facts` say how many may play it.",
    "not-now": _LEGAL,
    "nothing-done": _LEGAL,
    "bad-notation": _LEGAL,
    "ambiguous": "Write the command in full; `facts` name those that fit.",
    "bad-move": _LEGAL,
}

UNREAD = "`detail` says what is wrong and where. The specification of the record lays the bytes down; send others."
OF_RULES = _LEGAL
