"""Requests to a real server, with more patience than httpx's five seconds: a busy machine is not a failure."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any

import httpx

from tests.kit.patience import PATIENCE


@cache
def trust() -> ssl.SSLContext:
    """The usual authorities. To read them takes longer than a request, and a client without them reads them anew."""
    return httpx.create_ssl_context()


def client(**settings: Any) -> httpx.Client:
    return httpx.Client(**_patient(settings))


def get(url: str, **more: Any) -> httpx.Response:
    return httpx.get(url, **_patient(more))


def post(url: str, **more: Any) -> httpx.Response:
    return httpx.post(url, **_patient(more))


def delete(url: str, **more: Any) -> httpx.Response:
    return httpx.delete(url, **_patient(more))


def _patient(settings: dict[str, Any]) -> dict[str, Any]:
    return {"timeout": PATIENCE, "verify": trust()} | settings
