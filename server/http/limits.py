"""Rate limits by address and by token, shared among processes through Redis, or counted in each process without it.

While Redis is away, each process counts alone, and no request waits for it (`server.kernel.breaker`).

Each address and each token has one budget for the whole API, on which a request draws as often as it costs what a
plain one does (`WEIGHTS`). Budgets are smaller for requests that send mail, take guesses or make this server send
something to others, and for notes and lines that anyone may submit, since checking them costs more than sending them.
A person's bot has one budget for all its tokens. House players share the operator's address, so only the budgets of
their tokens count. Requests over the limit get 429 with `Retry-After`.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple

from flask import Flask, Response, g, request
from limits import parse_many
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import TooManyRequests

from server.http import resource
from server.http.credentials import Principal
from server.http.page import reader
from server.kernel.config import Settings
from server.kernel.errors import Problem
from server.kernel.peers import counted_as
from server.kernel.services import Waker

FREE = ("/healthz", "/readyz")
SENSITIVE = ("login.request_login", "login.confirm_login", "oauth.begin_device")
HOOKS = ("hooks.ping_hook", "hooks.replay_events", "hooks.replay_delivery")
EXPENSIVE = ("evidence.compare_note", "evidence.hand_in_lines", "web.compare_page")
DEVICES = ("web.ask_device_page", "web.answer_device_page")
GUESSES = "20/10minute"  # at a program's code of 34 bits, which lives for ten minutes; by account
# Requests that cost more processor time than others, where a plain one takes about 5 ms.
WEIGHTS = {
    "web.front": 3,
    "web.tables_page": 3,
    "web.game_page": 3,
    "web.docs_page": 3,  # compressed anew for each reader who is signed in
    "web.social_picture": 16,  # drawn unless another process or the reader has it
    "position.get_picture": 2,
    "web.game_picture": 2,
    "position.preview_move": 4,
    "lessons.preview_lesson_step": 4,
    "lessons.get_lesson_step": 4,
    "position.get_hint": 60,
    "web.hint_page": 60,  # a process starts for it
    "events.stream_events": 10,  # up to 100 tokens are looked up
}
NAME = "budgets"


class RequestBudget(NamedTuple):
    """So many requests in a window, which begins with the first one."""

    key: str
    amount: int
    seconds: int


class Drawn(NamedTuple):
    """How often a budget was drawn on in its window, with this request, and the seconds left of the window."""

    used: int
    left: float


class RateLimit(NamedTuple):
    """Numbers of requests in so many seconds, for each owner that `whose` finds; None: the request has no owner."""

    name: str
    rates: Sequence[tuple[int, int]]
    whose: Callable[[], str | None]

    @classmethod
    def of(cls, name: str, rates: str, whose: Callable[[], str | None]) -> RateLimit:
        """Read a setting; an empty one limits nothing."""
        found = parse_many(rates) if rates else []
        return cls(name, [(one.amount, one.get_expiry()) for one in found], whose)

    def budgets(self) -> list[RequestBudget]:
        """Those that this request draws on."""
        who = self.whose() if self.rates else None
        if who is None:
            return []
        return [
            RequestBudget(f"budget:{self.name}:{who}:{number}/{seconds}", number, seconds)
            for number, seconds in self.rates
        ]


def register(app: Flask, settings: Settings, waker: Waker) -> None:
    """The app's limits, after its views: an empty string in the settings switches one off."""
    app.extensions[NAME] = counters = Counters(waker if settings.redis_url else None)
    limits = [
        RateLimit.of("address", settings.limit_address, lambda: None if _is_free() else _address()),
        RateLimit.of("token", settings.limit_token, _token),
        RateLimit.of("bot", settings.limit_bot, _bot),
    ]
    app.before_request(lambda: _draw(counters, limits))
    app.after_request(_show)
    smaller = (
        (settings.limit_login, _sensitive(app)),
        (settings.limit_compare, EXPENSIVE),
        (settings.limit_hooks, HOOKS),
        (settings.limit_guests, ("guests.begin_guest",)),
    )
    for rates, names in smaller:
        for name in names if rates else ():
            app.view_functions[name] = _limited(app.view_functions[name], counters, RateLimit.of(name, rates, _address))
    guesses = RateLimit.of("user-codes", GUESSES, _reader)
    for name in DEVICES:
        app.view_functions[name] = _limited(app.view_functions[name], counters, guesses)


def _limited(view: Callable[..., Any], counters: Counters, limit: RateLimit) -> Callable[..., Any]:
    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        _draw(counters, [limit])
        return view(*args, **kwargs)

    return guarded


def _draw(counters: Counters, limits: Sequence[RateLimit]) -> None:
    """Count this request; TooManyRequests if a budget is spent."""
    if _is_cheap():
        return
    budgets = [budget for limit in limits for budget in limit.budgets()]
    drawn = counters.draw(budgets, WEIGHTS.get(request.endpoint or "", 1))
    spent = [at for at, one in enumerate(drawn) if one.used > budgets[at].amount]
    g.drawn = [*g.get("drawn", ()), *zip(budgets, drawn, strict=False)]
    if drawn:
        at = spent[0] if spent else 0
        g.budget = (budgets[at], drawn[at])
    if spent:
        raise TooManyRequests


def own_budget() -> tuple[RequestBudget, Drawn] | None:
    """The budget of this request's token, or of its bot, of which least is left; None if there is no limit."""
    own = [one for one in g.get("drawn", ()) if one[0].key.startswith(("budget:token:", "budget:bot:"))]
    return min(own, key=lambda one: one[0].amount - one[1].used, default=None)


def _show(answer: Response) -> Response:
    """The budget that is spent, or otherwise the first; one of the view itself counts instead of the general ones."""
    if "budget" not in g:
        return answer
    budget, drawn = g.budget
    ends = int(time.time() + drawn.left) + 1
    answer.headers["X-RateLimit-Limit"] = str(budget.amount)
    answer.headers["X-RateLimit-Remaining"] = str(max(0, budget.amount - drawn.used))
    answer.headers["X-RateLimit-Reset"] = str(ends)
    answer.headers["Retry-After"] = str(int(ends - time.time()))
    return answer


# --- the owner of a budget --------------------------------------------------------------------------------------------


def _sensitive(app: Flask) -> set[str]:
    """Views that send mail or take a guess at a token: signing in, and every form of the pages."""
    forms = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    return {*SENSITIVE, *(name for name in forms if name.startswith("web."))} - {*EXPENSIVE}


def _address() -> str:
    return counted_as(request.remote_addr or "127.0.0.1")


def _reader() -> str | None:
    """The account that is signed in on the page."""
    who = reader()
    return None if who is None else str(who.account_id)


def _token() -> str | None:
    """By the token alone: blanks and capitals before it, which do not matter, must not make another budget."""
    shown = request.headers.get("Authorization")
    return None if shown is None else hashlib.sha256(shown.partition(" ")[2].strip().encode()).hexdigest()


def _bot() -> str | None:
    """The account of the request if it is a person's bot; None otherwise, or if that is not known."""
    principal = _principal()
    return str(principal.account_id) if principal and principal.is_bot else None


def _principal() -> Principal | None:
    """The owner of the request's token, looked up once for all limits; None if it cannot be found now."""
    if "asks" not in g:
        try:
            g.asks = resource.caller() if "Authorization" in request.headers else None
        except (Problem, SQLAlchemyError):  # the endpoint will report it
            g.asks = None
    principal: Principal | None = g.asks
    return principal


def _is_cheap() -> bool:
    """A static file, or a preflight, which precedes every request of a browser."""
    return request.method == "OPTIONS" or (request.endpoint or "").endswith(".static")


def _is_free() -> bool:
    return request.path in FREE or ((principal := _principal()) is not None and principal.is_house)


# --- the counters -----------------------------------------------------------------------------------------------------
# All budgets of a request are drawn on in one trip, until one is spent.

SCRIPT = """
local drawn = {}
for at, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[#ARGV])
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = 1000 * tonumber(ARGV[2 * at])
    redis.call('PEXPIRE', key, left)
  end
  drawn[at] = {count, left}
  if count > tonumber(ARGV[2 * at - 1]) then break end
end
return drawn
"""


class Counters:
    """In Redis, or in this process without it and while it does not answer. Thread-safe."""

    def __init__(self, waker: Waker | None) -> None:
        self._script = waker.redis.register_script(SCRIPT) if waker else None
        self._own = OwnCounters()

    def draw(self, budgets: Sequence[RequestBudget], weight: int = 1) -> list[Drawn]:
        """Count for each budget, in order; those after a spent one are left out."""
        if not budgets:
            return []
        if self._script is None:
            return self._own.draw(budgets, weight)
        import redis

        keys, given = [one.key for one in budgets], [number for one in budgets for number in (one.amount, one.seconds)]
        try:
            return [Drawn(count, left / 1000) for count, left in self._script(keys, [*given, weight])]
        except redis.RedisError:
            return self._own.draw(budgets, weight)

    def reset(self) -> None:
        """Forget what was counted in this process."""
        self._own = OwnCounters()


class OwnCounters:
    """Counters in memory; windows that are over are dropped each time that their number has doubled."""

    def __init__(self) -> None:
        self._lock, self._most = threading.Lock(), 1000
        self._counted: dict[str, tuple[int, float]] = {}

    def draw(self, budgets: Sequence[RequestBudget], weight: int = 1) -> list[Drawn]:
        drawn: list[Drawn] = []
        with self._lock:
            now = time.monotonic()
            for one in budgets:
                drawn.append(self._count(one, now, weight))
                if drawn[-1].used > one.amount:
                    break
            if len(self._counted) > self._most:
                self._counted = {key: kept for key, kept in self._counted.items() if kept[1] > now}
                self._most = max(1000, 2 * len(self._counted))
        return drawn

    def _count(self, one: RequestBudget, now: float, weight: int) -> Drawn:
        count, ends = self._counted.get(one.key, (0, 0.0))
        if ends <= now:
            count, ends = 0, now + one.seconds
        self._counted[one.key] = count + weight, ends
        return Drawn(count + weight, ends - now)
