"""The same bytes on every try, delays as requested, and problems as exceptions with their code."""

import httpx
import pytest

from client.http import TRIES, Api, ApiError, NoAnswerError


class Server:
    """Gives the answers in order and stores requests; an exception in the list is a lost answer."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seen = []
        self.waits = []

    def __call__(self, request):
        self.seen.append((request.method, str(request.url), request.content, dict(request.headers)))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def api(self, token=None):
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Api("http://games.example:8000/", token, http, self.waits.append)


def test_a_retry_sends_the_same_bytes():
    """Body and headers are equal, so the server can give the same answer."""
    server = Server(httpx.ReadTimeout("lost"), httpx.Response(503), httpx.Response(201, json={"entry": "..."}))
    answer = server.api("t").post("/v1/games/1/moves", {"jws": "a.b.c"}, once=True)
    assert answer.value == {"entry": "..."}
    assert len(server.seen) == 3
    assert server.seen[0] == server.seen[1] == server.seen[2]
    assert server.seen[0][3]["authorization"] == "Bearer t"


def test_retry_after_is_respected_up_to_a_minute():
    """Without it the pauses double."""
    server = Server(
        httpx.Response(429, headers={"Retry-After": "7"}),
        httpx.Response(429, headers={"Retry-After": "9999"}),
        httpx.Response(429),
        httpx.Response(429, headers={"Retry-After": "0"}),
        httpx.Response(200, json=[]),
    )
    assert server.api().get("/v1/games", status="lobby").value == []
    assert server.waits == [7.0, 60.0, 0.4, 0.8]


@pytest.mark.parametrize(
    ("path", "query", "asked"),
    [
        ("/v1/games", {}, "/v1/games"),
        ("/v1/games", {"limit": 5}, "/v1/games?limit=5"),
        ("/v1/games/1/view?at=3", {}, "/v1/games/1/view?at=3"),
        ("/v1/games?status=lobby", {"limit": 5}, "/v1/games?status=lobby&limit=5"),
    ],
)
def test_a_query_in_the_path_is_sent(path, query, asked):
    """Otherwise the server would answer another request."""
    server = Server(httpx.Response(200, json={}))
    server.api().get(path, **query)
    assert server.seen[0][1] == f"http://games.example:8000{asked}"


def test_the_client_gives_up_after_some_tries():
    """The error has the last answer."""
    server = Server(*[httpx.ConnectError("refused")] * TRIES)
    with pytest.raises(NoAnswerError, match="refused"):
        server.api().get("/healthz")
    assert len(server.seen) == TRIES


def test_a_problem_is_an_exception_with_its_code():
    """With status and all members; it is not retried."""
    problem = {"title": "Stale", "code": "stale-head", "unchanged": True}
    server = Server(httpx.Response(409, json=problem, headers={"Content-Type": "application/problem+json"}))
    with pytest.raises(ApiError) as caught:
        server.api().post("/v1/games/1/moves", {"jws": ""})
    assert (caught.value.status, caught.value.code) == (409, "stale-head")
    assert caught.value.problem["unchanged"] is True
    assert len(server.seen) == 1


def test_an_error_without_json_is_an_exception_too():
    """With the beginning of the proxy's page."""
    server = Server(httpx.Response(404, text="<h1>Nothing here</h1>"))
    with pytest.raises(ApiError, match="Nothing here"):
        server.api().get("/elsewhere")


def test_a_deletion_whose_answer_was_lost_finds_nothing():
    """At its first try that is a refusal."""
    gone = {"status_code": 404, "headers": PROBLEM, "json": {"code": "not-found"}}
    Server(httpx.ReadTimeout("lost"), httpx.Response(**gone)).api("t").delete("/v1/me/keys/1")
    with pytest.raises(ApiError, match="not-found"):
        Server(httpx.Response(**gone)).api("t").delete("/v1/me/keys/1")


def test_304_has_an_etag_and_no_value():
    """A poller sends its ETag and learns that nothing changed."""
    server = Server(httpx.Response(304, headers={"ETag": '"h.1"'}))
    answer = server.api().get("/v1/games/1/view", etag='"h.1"')
    assert (answer.status, answer.etag, answer.value) == (304, '"h.1"', None)
    assert server.seen[0][3]["if-none-match"] == '"h.1"'


def test_the_audience_is_host_and_port_of_the_address():
    """Without the path."""
    assert Server().api().host == "games.example:8000"


PROBLEM = {"Content-Type": "application/problem+json"}


@pytest.mark.parametrize(
    "answer",
    [
        httpx.ReadTimeout("lost"),
        httpx.RemoteProtocolError("cut"),
        httpx.Response(500, json={"code": "internal-error"}, headers=PROBLEM),
        httpx.Response(429, json={"code": "too-many-requests"}, headers=PROBLEM),
        httpx.Response(403, text="<h1>Forbidden</h1>"),
        httpx.Response(404, json={"code": "not-found"}),
        httpx.Response(404, json=["code"], headers=PROBLEM),
        httpx.Response(404, content=b"{", headers=PROBLEM),
        httpx.Response(302, headers={"Location": "/"}),
    ],
)
def test_an_act_is_sent_once(answer):
    """If its fate is unknown the caller gets an error, and reads the log first."""
    server = Server(answer)
    with pytest.raises(NoAnswerError):
        server.api().act("/v1/games/1/moves", {"jws": "a.b.c"})
    assert len(server.seen) == 1
    assert server.waits == []


def test_a_refused_act_returns_the_problem():
    """It is not retried, and its bytes are there as evidence."""
    server = Server(httpx.Response(422, json={"code": "not-now"}, headers=PROBLEM))
    with pytest.raises(ApiError) as caught:
        server.api().act("/v1/games/1/moves", {"jws": "a.b.c"})
    assert caught.value.code == "not-now"
    assert caught.value.content == b'{"code":"not-now"}'


@pytest.mark.parametrize(("asked", "pause"), [("7", 7.0), ("", None), ("soon", None), ("-1", None), ("9" * 400, None)])
def test_retry_after_is_read_as_seconds(asked, pause):
    """Anything else is ignored."""
    server = Server(httpx.Response(429, headers={"Retry-After": asked}))
    with pytest.raises(NoAnswerError) as caught:
        server.api().act("/v1/games/1/moves", {"jws": "a.b.c"})
    assert caught.value.pause == pause


def test_an_answer_is_limited_in_size(monkeypatch):
    """An endless answer is cut off."""
    monkeypatch.setattr("client.http.LARGEST_ANSWER", 1000)
    sent = []

    def endless():
        while True:
            sent.append(1)
            yield b"x" * 400

    server = Server(*[httpx.Response(200, content=endless()) for _ in range(TRIES)])
    with pytest.raises(NoAnswerError, match="more than 1000 bytes"):
        server.api().get("/v1/games/1/log")
    assert len(sent) <= 4 * TRIES


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[" * 100_000, b"1" * 5000])
def test_invalid_json_gives_no_value(content):
    """Callers that need a value check its shape anyway."""
    server = Server(httpx.Response(200, content=content, headers={"Content-Type": "application/json"}))
    assert server.api().get("/v1/games").value is None


def test_cookies_are_not_sent_back():
    """Neither with the next request nor with another token: a reader without a token is anonymous."""
    server = Server(httpx.Response(200, json=1, headers={"Set-Cookie": "who=ada"}), httpx.Response(200, json=2))
    api = server.api("t")
    api.get("/v1/me")
    api.as_(None).get("/v1/games/1/log")
    assert "cookie" not in server.seen[1][3]
    assert "authorization" not in server.seen[1][3]
