"""Requests to a real server, with more patience than httpx's five seconds: a busy machine is not a failure."""

from __future__ import annotations

from typing import Any

import httpx

from tests.kit.patience import PATIENCE


def client(**settings: Any) -> httpx.Client:
    return httpx.Client(timeout=PATIENCE, **settings)


def get(url: str, **more: Any) -> httpx.Response:
    return httpx.get(url, timeout=PATIENCE, **more)


def post(url: str, **more: Any) -> httpx.Response:
    return httpx.post(url, timeout=PATIENCE, **more)


def delete(url: str, **more: Any) -> httpx.Response:
    return httpx.delete(url, timeout=PATIENCE, **more)
