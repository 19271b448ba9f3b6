"""Two players of the open die game over HTTP, with as little work of their own as possible."""

import json
from collections.abc import Mapping
from typing import Any

import httpx

from client import signing
from client.keys import Key, make
from client.signing import ActPlace
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn, so the seats alternate


class PigTable:
    """A running game; `turn` sends the next one. It signs after the head of each answer and checks nothing."""

    title = "pig"
    options: Mapping[str, Any] = {"goal": 100}

    def __init__(self, http: httpx.Client, tokens: list[str], keys: list[Key]) -> None:
        self.http, self.tokens, self.keys = http, tokens, keys
        self.host = http.base_url.netloc.decode()
        body = {"type": self.title, "seats": 2, "options": self.options}
        made = http.post("/v1/games", json=body, headers={"Authorization": f"Bearer {tokens[0]}"}).raise_for_status()
        self.id, self.over, self.moves = made.json()["id"], False, 0
        self._head(made.json()["head"])
        for seat, key in enumerate(keys):
            self._take(self._post("join", signing.join(key, self._place(seat), bytes([seat]) * 32)))
        self._head(http.get(f"/v1/games/{self.id}").raise_for_status().json()["head"])

    def turn(self) -> httpx.Response:
        """One signed move: a roll, and a hold if the die allows it."""
        return self.play(self.moves % 2, TURN)

    def active(self) -> int:
        """The seat to move."""
        active: list[int] = self.http.get(f"/v1/games/{self.id}").raise_for_status().json()["active"]
        assert active, f"the game is over after {self.seq} entries"
        return active[0]

    def play(self, seat: int, commands: list[Any]) -> httpx.Response:
        answer = self._post("moves", signing.move(self.keys[seat], self._place(seat), commands))
        self._take(answer)
        self.moves += 1
        return answer

    def _post(self, path: str, signed: signing.Signed) -> httpx.Response:
        return self.http.post(f"/v1/games/{self.id}/{path}", json=signed.body).raise_for_status()

    def _place(self, seat: int) -> ActPlace:
        return ActPlace(self.host, self.id, seat, self.seq, self.prev)

    def _take(self, answer: httpx.Response) -> None:
        line = answer.json()["entry"]
        self.prev, self.seq, self.over = leaf(line.encode()), self.seq + 1, '"outcome"' in line

    def _head(self, head: dict) -> None:
        self.seq, self.prev = head["seq"] + 1, canonical.from_base64url(head["hash"], 32)


class Crowd:
    """Two accounts with registered keys; opens tables for as long as games end."""

    def __init__(self, url: str, tokens: list[str]) -> None:
        self.http = httpx.Client(base_url=url, timeout=30)
        self.tokens, self.keys = tokens, [make() for _ in tokens]
        for token, key in zip(tokens, self.keys, strict=True):
            self._register(token, key)

    def _register(self, token: str, key: Key) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        nonce = self.http.post("/v1/me/keys/challenge", json={}, headers=headers).raise_for_status().json()["nonce"]
        proof = signing.register(key, self.http.base_url.netloc.decode(), nonce)
        self.http.post("/v1/me/keys", content=json.dumps({"jws": proof}), headers=headers | JSON).raise_for_status()

    def want_no_mail(self) -> None:
        """What a mail costs is measured elsewhere (`mail_rates`)."""
        for token in self.tokens:
            wanted = dict.fromkeys(("turn", "started", "over", "absent"), "off")
            headers = {"Authorization": f"Bearer {token}"}
            self.http.patch("/v1/me/mail", json=wanted, headers=headers).raise_for_status()

    def table(self, kind: type[PigTable] = PigTable) -> PigTable:
        return kind(self.http, self.tokens, self.keys)


JSON = {"Content-Type": "application/json"}
