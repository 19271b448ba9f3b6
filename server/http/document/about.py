"""The description of the API in its document: version, contact, and how the API may change."""

from __future__ import annotations

VERSION = "1.0.0"  # of the document; a change that breaks clients needs a new path instead of /v1

ABOUT = (
    "Play slow board games with signed moves. Acts of a seat are compact JWS and need no token. A token lets you read "
    "what only your seat may see. Errors are RFC 9457 problem documents with a stable `code`; the schema `Problem` "
    "lists all codes.\n\n"
    "To make your first move: `POST /v1/login` sends a link by email, and `POST /v1/login/confirm` exchanges the last "
    "part of the link for an API token, which has every scope for an hour. Make an Ed25519 key and register it with "
    "`POST /v1/me/keys/challenge` and `POST /v1/me/keys`. Make or find a game and join it. The game starts with the "
    "last join. `GET /v1/me/turns` lists the games in which you owe a move, `view` returns what your seat sees, "
    "`legal` the possible commands, and `preview` their effect. Sign your move and send it to `moves`.\n\n"
    "A signed act names the server, the game, the seat (the first is 0) and its place in the log: `seq`, the number "
    "that its entry will have, and `prev`, the hash of the entry before it. Both follow from `head` of `GET "
    "/v1/games/{game_id}`. If the game has moved on, the answer is 409 `stale-head` with the entries that you missed. "
    "The same JWS sent again is logged once and gets the same answer. The schemas `JwsHeader`, `JoinPayload`, "
    "`MovePayload` and so on describe what is signed, `MoveText` what a sealed move commits to. The specification is "
    "docs/spec/record.md in the source.\n\n"
    "To poll, send the `ETag` of the previous answer as `If-None-Match`, or use `wait` of the log. `GET "
    "/v1/me/events` streams the events of all your games, `POST /v1/events` those of several accounts, and a webhook "
    "posts them to your program."
)

CHANGES = (
    "\n\n**Changes.** `operationId`s, member names and their meaning do not change. The following may be added "
    "without notice: operations, optional parameters and request members, members and headers of answers, problem "
    "codes, and values of enums marked `x-open`. Ignore what you do not know. Anything to be removed is first marked "
    "`deprecated` for at least six months. Its answers then carry `Deprecation` (RFC 9745), since when it is "
    "deprecated, and `Sunset` (RFC 8594), when it will be removed, with a `Link` of `rel=deprecation` to its "
    "replacement. Any other breaking change gets a new path instead of `/v1`. Each document is compared with the last "
    "released one before it is published."
)

INFO = {
    "description": ABOUT + CHANGES,
    "license": {"name": "MIT", "identifier": "MIT"},
    "contact": {"name": "The operator: `contact` of /.well-known/sealedmove.json"},
}

# The order of the tags in the document; any other blueprints follow.
CHAPTERS = (
    *("login", "guests", "me", "sessions", "tokens", "keys", "keybox", "waiting", "mail", "calendar", "holidays"),
    *("turns", "hooks", "push", "bots", "types", "lessons", "games", "pauses", "acts", "log", "position", "plans"),
    *("talk", "people", "events", "evidence", "server"),
)
