"""What the API's document says of itself: its version, whom it belongs to, how it may change."""

from __future__ import annotations

VERSION = "1.0.0"  # of the document; a released one that breaks a client is another path than /v1

ABOUT = (
    "Slow board games by signed moves. Acts of seats are compact JWS and need no token; what a seat alone may "
    "know is read with one. Errors are RFC 9457 problem documents with a stable `code`; the schema `Problem` "
    "names them all.\n\n"
    "From nothing to a move: `POST /v1/login` mails a link, `POST /v1/login/confirm` takes its last part and "
    "gives an API token, which for an hour may do everything. Make an Ed25519 key and register it: `POST "
    "/v1/me/keys/challenge`, then `POST /v1/me/keys`. Make a game or find one, and join it: it starts with the last "
    "join. `GET /v1/me/turns` says where you owe a move, `view` what your seat sees, `legal` what it may do, "
    "`preview` what that would come to. Sign it and send it to `moves`.\n\n"
    "A signed act names the server, the game, the seat (the first is 0), and its own place in the log: `seq`, the "
    "number of the entry that it will be, and `prev`, the hash of the entry before. `head` of `GET "
    "/v1/games/{game_id}` gives both. Whoever signs upon another head is answered 409 `stale-head` with what was "
    "missed. The same JWS sent again is logged once and answered alike. The schemas `JwsHeader`, `JoinPayload`, "
    "`MovePayload` and so on say member by member what is signed, `MoveText` what is sealed in a hidden game; "
    "docs/spec/record.md of the source is the norm.\n\n"
    "To poll, send the `ETag` of the answer before as `If-None-Match`, or let `wait` of the log hold the request. "
    "`GET /v1/me/events` is a stream that tells of all your games, and a webhook posts the same to a program of yours."
)

CHANGES = (
    "\n\n**What may change.** `operationId`s, names of members and what they mean stay. Without notice come new "
    "operations, optional parameters and members of requests, new members and headers of answers, new codes of "
    "problems, and new values of an enum that is marked `x-open`: pass over what you do not know. What goes away is "
    "`deprecated` here first, for six months at least: its answers then carry `Deprecation` (RFC 9745), when it was "
    "given up, and `Sunset` (RFC 8594), when it ends, with a `Link` of `rel=deprecation` to what comes instead. What "
    "cannot be had so comes under another path than `/v1`. Each document is compared with the last released one "
    "before it is published."
)

INFO = {
    "description": ABOUT + CHANGES,
    "license": {"name": "MIT", "identifier": "MIT"},
    "contact": {"name": "The operator: `contact` of /.well-known/sealedmove.json"},
}

# The order of the document's tags; a blueprint that is not named here comes after them.
CHAPTERS = (
    *("login", "me", "sessions", "tokens", "keys", "keybox", "waiting", "mail", "calendar", "turns", "hooks", "bots"),
    *("types", "games", "acts", "log", "position", "plans", "events", "evidence", "server"),
)
