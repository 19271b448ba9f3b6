"""A reader of event streams independent of the project's code: sockets and lines."""

from __future__ import annotations

import json
import socket
from typing import Any, Self
from urllib.parse import urlsplit

from tests.kit.patience import PATIENCE


class Reader:
    """One stream: its status and headers, then its events one by one. With a body it is asked for by POST."""

    def __init__(self, url: str, path: str, *, receive: int | None = None, body: object = None, **headers: str) -> None:
        where = urlsplit(url)
        self.sock = socket.socket()
        if receive is not None:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.sock.settimeout(PATIENCE)
        self.sock.connect((where.hostname, where.port))
        method, text = ("GET", "") if body is None else ("POST", json.dumps(body))
        if text:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(text))}
        lines = [f"{method} /v1{path} HTTP/1.1", f"Host: {where.netloc}", *(f"{k}: {v}" for k, v in headers.items())]
        self.sock.sendall(("\r\n".join([*lines, "", ""]) + text).encode())
        self.file = self.sock.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while line := self.file.readline().strip():
            name, _, value = line.decode().partition(": ")
            self.headers[name.lower()] = value
        self.last: str | None = None
        self.beats = 0
        self.first = self.block() if self.status == 200 else None

    def block(self) -> dict[str, str] | None:
        """The fields of the next block, None at the end."""
        fields: dict[str, str] = {}
        while True:
            line = self.file.readline()
            if not line:
                return None
            name, _, value = line.decode().rstrip("\n").partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
            elif value == "" and line == b":\n":
                self.beats += 1
            elif fields:
                self.last = fields.get("id", self.last)
                return fields

    def event(self) -> dict[str, Any] | None:
        """The next event, None at the end."""
        block = self.block()
        return None if block is None else json.loads(block["data"])

    def events(self, count: int) -> list[dict[str, Any]]:
        return [self.event() for _ in range(count)]

    def body(self) -> Any:
        """Of an answer that is not a stream."""
        return json.loads(self.file.read(int(self.headers["content-length"])))

    def close(self) -> None:
        self.file.close()
        self.sock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
