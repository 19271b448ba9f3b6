"""The API's document and its page: rendered and compressed once in a process, and sent again only if they changed."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import brotli
import flask_compress.flask_compress
import pytest
from flask import Flask, template_rendered

from server.http import resource
from server.http.app import create_app
from tests.server.harness import GONE, Client, Harness

BOTH = pytest.mark.parametrize("path", ["/v1/docs", "/v1/openapi.json"])
ASKS = {"Accept-Encoding": "br"}
OPERATIONS = "operations.html"  # the part of the page that is the same for everybody


@pytest.fixture
def app(hall: Harness) -> Flask:
    """An application that has answered nothing yet; others are used by several tests."""
    made = create_app(services=hall.services)
    made.test_client_class = Client
    return made


@pytest.fixture
def made(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often this application has rendered a template, finished its document, or compressed an answer."""
    counted: Counter[str] = Counter()
    finish, compress = resource.finished, flask_compress.flask_compress._compress_data

    def finished(document: Any) -> Any:
        counted["document"] += 1
        return finish(document)

    def compressed(where: Flask, data: bytes, coding: str) -> bytes:
        counted[coding] += 1
        return compress(where, data, coding)

    def rendered(_: Flask, template: Any, **given: Any) -> None:
        counted[template.name] += 1

    monkeypatch.setattr(resource, "finished", finished)
    monkeypatch.setattr(flask_compress.flask_compress, "_compress_data", compressed)
    with template_rendered.connected_to(rendered, app):
        yield counted


def without_its_own(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers if name not in ("Date", "X-Request-Id")}


@BOTH
def test_each_answer_has_the_same_bytes_and_headers(app: Flask, path: str):
    """In every coding."""
    for asked in ({}, ASKS, {"Accept-Encoding": "gzip"}):
        first, second = (app.test_client().get(path, headers=asked) for _ in range(2))
        assert first.get_data() == second.get_data()
        assert without_its_own(first) == without_its_own(second)


def test_the_page_and_the_document_are_made_once(app: Flask, made: Counter[str]):
    for _ in range(3):
        for path in ("/v1/docs", "/v1/openapi.json"):
            assert app.test_client().get(path).status_code == 200
    assert (made[OPERATIONS], made["document"]) == (1, 1)


def test_they_are_compressed_once_in_each_coding(app: Flask, made: Counter[str]):
    """Other answers are compressed each time: most of them change from one request to the next."""
    for path in ("/v1/docs", "/v1/openapi.json", "/login"):
        for coding in ("br", "gzip", "br", "gzip"):
            answer = app.test_client().get(path, headers={"Accept-Encoding": coding})
            assert answer.headers["Content-Encoding"] == coding
    assert (made["br"], made["gzip"]) == (1 + 1 + 2, 1 + 1 + 2)


def test_threads_that_ask_first_at_the_same_moment_get_one_document(app: Flask, made: Counter[str]):
    paths = ["/v1/docs", "/v1/openapi.json"] * 2
    ready = threading.Barrier(len(paths))

    def asked(path: str) -> bytes:
        ready.wait()
        return Client(app).get(path).get_data()

    with ThreadPoolExecutor(len(paths)) as pool:
        page, document, same_page, same_document = pool.map(asked, paths)
    assert (page, document) == (same_page, same_document)
    assert (made[OPERATIONS], made["document"]) == (1, 1)


@BOTH
def test_a_reader_who_has_it_gets_304(hall: Harness, path: str):
    """In every coding, with the headers of the whole answer, and again the whole answer for another tag."""
    for asked in ({}, ASKS):
        whole = hall.client.get(path, headers=asked)
        again = hall.client.get(path, headers={**asked, "If-None-Match": whole.headers["ETag"]})
        assert (whole.status_code, again.status_code, again.get_data()) == (200, 304, b"")
        for name in ("Cache-Control", "Access-Control-Allow-Origin", "Content-Security-Policy"):
            assert again.headers.get(name) == whole.headers.get(name)
        assert {*whole.headers["Vary"].split(", ")} >= {"Cookie", "Authorization", "Origin"}
        assert {*again.headers["Vary"].split(", ")} >= {"Cookie", "Authorization", "Origin"}
    assert hall.client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200


def test_two_processes_give_the_document_and_the_page_one_tag(hall: Harness, app: Flask):
    """A client that has an answer of one process has that of the other."""
    for path in ("/v1/docs", "/v1/openapi.json"):
        tag = Client(app).get(path).headers["ETag"]
        assert Client(create_app(services=hall.services)).get(path).headers["ETag"] == tag


def test_the_page_of_a_signed_in_reader_is_for_them_alone(hall: Harness, app: Flask, made: Counter[str]):
    """Around the operations that everybody sees; nobody else gets their name, and no cache keeps it."""
    ada = Client(app, browses=True)
    ada.sign_in(hall, "ada@example.org", "Zenobia")
    anybody = Client(app).get("/v1/docs")
    own, packed = ada.get("/v1/docs"), ada.get("/v1/docs", headers=ASKS)
    assert ">Zenobia</a>" in own.get_data(as_text=True)
    assert brotli.decompress(packed.get_data()) == own.get_data()
    assert own.headers["Cache-Control"] == "private, no-store"
    assert "Set-Cookie" in own.headers
    for answer in (anybody, Client(app).get("/v1/docs", headers=GONE)):
        assert answer.get_data() == anybody.get_data()
        assert b"Zenobia" not in answer.get_data()
    has = {"If-None-Match": anybody.headers["ETag"]}
    assert ada.get("/v1/docs", headers=has).status_code == 200
    assert made[OPERATIONS] == 1
