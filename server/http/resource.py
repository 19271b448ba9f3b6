"""The base of all resources: flask-smorest with three defects fixed, the caller, strict parsing of requests.

1. Errors are documented by status, as the application/problem+json that they are (`document/errors.py`). 2. Refusals of
the framework keep their headers: `Allow` of a 405, `Retry-After` of a 429. 3. Pages are `after=` and `limit=`, not the
X-Pagination header, whose documentation contradicts it.

A schema's docstring is its description in the document.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial, wraps
from itertools import accumulate
from typing import Any, ParamSpec
from urllib.parse import urlencode

import flask
import msgspec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Request, Response, current_app, g, request
from flask_smorest import Api
from flask_smorest.blueprint import Blueprint
from webargs import missing
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException
from werkzeug.http import http_date
from werkzeug.routing import BaseConverter

from engine.record.encoding.canonical import MAX_DEPTH
from server.http import credentials, origin
from server.http.credentials import Principal
from server.http.document import finished, operation_id
from server.http.document.errors import RAISED, RULES
from server.http.etags import conditional, conditional_ahead, same_for_all
from server.http.problems import http_problem
from server.http.schemas import ProblemSchema
from server.kernel.errors import Problem
from server.kernel.once import Once
from server.kernel.services import Services

P = ParamSpec("P")
UNCHANGED = "You have it already: `If-None-Match` was its `ETag`."
MORE = {"Link": {"$ref": "#/components/headers/Link"}}  # of a list that `paged` continues


class BodyParser(FlaskParser):
    """Reads bodies strictly; query and headers as usual."""

    def _raw_load_json(self, req: Request) -> Any:
        """415 comes before any error of a schema; without a body the schema reports what is missing."""
        data = req.get_data(cache=True)
        if not req.is_json and (data or req.mimetype):
            raise not_json()
        return loads(data) if data else missing


class Described(OpenAPIConverter):
    """Use schemas' docstrings as descriptions; doing it by a Meta option would lose `additionalProperties`."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        made: dict[str, Any] = super().schema2jsonschema(schema)
        kind = schema if isinstance(schema, type) else type(schema)
        return made | ({"description": kind.__doc__} if kind.__module__.startswith("server.") else {})


class DescribedPlugin(MarshmallowPlugin):
    """The plugin that uses it."""

    Converter = Described


class DocumentedApi(Api):
    """The API, with our document and our error responses."""

    ERROR_SCHEMA = ProblemSchema  # type: ignore[assignment]  # flask-smorest infers its own

    def _init_spec(self, **given: Any) -> None:
        self.described_later: list[Callable[[], None]] = []
        self._document, self._published = Once(self._described), Once(self._encoded)
        super()._init_spec(marshmallow_plugin=DescribedPlugin(), **given)
        bearer = {"type": "http", "scheme": "bearer", "description": "An API token: `Authorization: Bearer sm_...`."}
        self.spec.components.security_scheme("token", bearer)

    @property
    def document(self) -> dict[str, Any]:
        """The document as published, made on first use."""
        return self._document()

    def _described(self) -> dict[str, Any]:
        for describe in self.described_later:
            describe()
        return finished(self.spec.to_dict())

    def _encoded(self) -> tuple[bytes, str]:
        """The document's bytes and their fingerprint."""
        data = flask.jsonify(self.document).get_data()
        return data, hashlib.sha256(data).hexdigest()

    def _openapi_json(self) -> Response:
        data, fingerprint = self._published()
        return same_for_all(conditional_ahead(fingerprint, lambda: Response(data, mimetype="application/json")))

    def handle_http_exception(self, error: HTTPException) -> Response:
        return http_problem(error)


class StrictBlueprint(Blueprint):
    """Operations are named after their functions, and bodies are read strictly."""

    ARGUMENTS_PARSER = BodyParser()

    def register_views_in_doc(self, api: DocumentedApi, app: Any, spec: Any, **given: Any) -> None:
        """Postpone it: describing takes longer than registering, and most processes never need the document."""
        api.described_later.append(partial(super().register_views_in_doc, api, app, spec, **given))

    def arguments(self, schema: Any, **given: Any) -> Any:
        """With one schema for all requests: webargs would make another for each."""
        return super().arguments(schema() if isinstance(schema, type) else schema, **given)

    def _store_endpoint_docs(self, endpoint: str, obj: Any, *args: Any, **options: Any) -> None:
        super()._store_endpoint_docs(endpoint, obj, *args, **options)
        for method in options.get("methods", ("GET",)):
            manual = self._docs[endpoint][method.lower()].setdefault("manual_doc", {})
            manual.setdefault("operationId", operation_id(obj.__name__))


def resource(name: str, says: str, prefix: str = "/v1") -> Any:
    """A blueprint, by default under /v1."""
    return StrictBlueprint(name, __name__, url_prefix=prefix, description=says)


class Thumbprint(BaseConverter):
    """A key's thumbprint in a path: 43 letters, so that no other word matches."""

    regex = "[A-Za-z0-9_-]{43}"


def kid_schema(_converter: object) -> dict[str, str]:
    """A thumbprint in a path, for the document."""
    return {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}


def services() -> Services:
    """The services of this app."""
    found: Services = current_app.extensions["sealedmove"]
    return found


def requires_scope(scope: str | None) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """The request must carry a token with this scope; None: any token."""

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
            held = caller()
            if held is None:
                raise Problem("not-signed-in")
            if scope is not None and scope not in held.scopes:
                raise Problem("missing-scope", expected=scope, found=sorted(held.scopes))
            return view(*args, **kwargs)

        return _documented(guarded, [{"token": [] if scope is None else [scope]}])

    return decorate


def may_refuse(*statuses: int, by_rules: bool = False) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """Declare further errors, beside those that follow from its properties; with `by_rules`, codes of a game."""
    return Blueprint.doc(**{RAISED: list(statuses)}, **({RULES: True} if by_rules else {}))  # type: ignore[no-any-return]  # flask-smorest has no annotations


def deprecated(since: datetime, ends: datetime, instead: str) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """Mark as deprecated: responses state since when (RFC 9745), the end (RFC 8594), and what to use instead."""

    def announce(answer: Response) -> Response:
        answer.headers["Deprecation"] = f"@{int(since.timestamp())}"
        answer.headers["Sunset"] = http_date(ends)
        answer.headers.add("Link", f'<{instead}>; rel="deprecation"')
        return answer

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(view)
        def marked(*args: P.args, **kwargs: P.kwargs) -> Any:
            flask.after_this_request(announce)
            return view(*args, **kwargs)

        return Blueprint.doc(deprecated=True)(marked)  # type: ignore[no-any-return]  # flask-smorest has no annotations

    return decorate


def takes_at_most(largest: Callable[[int], int]) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """Set another limit for its body; `largest` gets the usual number of bytes."""

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        view.largest_body = largest  # type: ignore[attr-defined]  # every wrapper of a view carries its attributes on
        return view

    return decorate


def largest_body(usual: int) -> int:
    """The limit for the body of this request, in bytes."""
    view = current_app.view_functions.get(request.endpoint or "")
    largest = getattr(view, "largest_body", None)
    return usual if largest is None else int(largest(usual))


def token_optional(view: Callable[P, Any]) -> Callable[P, Any]:
    """Anyone may send it; with a token the response is for the caller's own seat."""
    return _documented(view, [{}, {"token": ["read"]}])


def _documented(view: Callable[P, Any], security: list[dict[str, list[str]]]) -> Callable[P, Any]:
    return Blueprint.doc(security=security)(view)  # type: ignore[no-any-return]  # flask-smorest has no annotations


def caller() -> Principal | None:
    """The owner of the token, or the reader signed in on a page of this server; otherwise None.

    An unknown token is refused. A cookie that does not count is ignored, so that an answer does not reveal that there
    was one.
    """
    if "caller" not in g:
        g.caller = _principal()
    held: Principal | None = g.caller
    return held


def _principal() -> Principal | None:
    header = request.headers.get("Authorization")
    if header is None:
        return origin.cookie_holder() if origin.is_sent_by_own_page() else None
    kind, _, token = header.partition(" ")
    held = credentials.token_holder(services(), token.strip()) if kind.lower() == "bearer" else None
    if held is None:
        raise Problem("bad-token")
    return held


def is_private() -> bool:
    """Is the response for one account only? Then no cache may store it, above all not tokens."""
    return g.get("caller") is not None or request.path.startswith(("/v1/me", "/v1/login"))


def holder() -> Principal:
    """The caller, in a view that needs one."""
    held = caller()
    assert held is not None
    return held


def account_id() -> int:
    """The caller's account, in a view that needs one."""
    return holder().account_id


def reader_id() -> int | None:
    """The caller's account, if the token has the scope `read`."""
    held = caller()
    if held is None:
        return None
    if "read" not in held.scopes:
        raise Problem("missing-scope", expected="read", found=sorted(held.scopes))
    return held.account_id


def paged(answer: Response, after: object) -> Response:
    """Add a `Link` to the next page: the same address and filters, from `after` on. None: this is the last page."""
    if after is not None:
        asked = {name: value for name, value in request.args.items() if name != "wait"}
        next_page = f'<{request.path}?{urlencode(asked | {"after": str(after)})}>; rel="next"'
        answer.headers.add("Link", next_page)
    return answer


def tagged(body: Any, *, private: bool = False) -> Response:
    """A body with its ETag; 304 without a body if the caller already has it."""
    return conditional(_as_answer(body, private=private))


def tagged_ahead(fingerprint: str, make: Callable[[], Any], *, private: bool = False) -> Response:
    """The same with a tag that is known before the body (`conditional_ahead`)."""
    return _as_answer(conditional_ahead(fingerprint, lambda: _as_answer(make())), private=private)


def _as_answer(body: Any, *, private: bool = False) -> Response:
    answer: Any = body if isinstance(body, Response) else flask.jsonify(body)
    answer.headers["Cache-Control"] = "private, no-store" if private else "no-cache"
    answer.vary.add("Authorization")
    found: Response = answer
    return found


# --- A request's JSON, read strictly ----------------------------------------------------------------------------------
# UTF-8 without lone surrogates, finite numbers, limited depth: values that pass can be stored and
# written again. Signed bytes are strings in it; the record's reader, which is stricter still, reads them.

# An unterminated string is matched to the end: trying again at each quote would take quadratic time.
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
BRACKET = re.compile(rb"[\[\]{}]")


def not_json() -> Problem:
    return Problem("not-json", found=request.mimetype, expected="application/json")


def loads(data: bytes) -> Any:
    """The value; Problem `bad-request` with what is wrong with the text.

    Of two members with one name msgspec keeps the last and other readers the first, so a body with both is refused.
    """
    _check_depth(data)
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as bad:
        raise Problem("bad-request", says=str(bad)) from None
    json.loads(data, object_pairs_hook=_check_distinct)
    return value


def _check_distinct(members: list[tuple[str, Any]]) -> None:
    counts = Counter(name for name, _ in members)
    twice = next((name for name, times in counts.items() if times > 1), None)
    if twice is not None:
        raise Problem("bad-request", says=f"the member {twice[:80]!r} is given more than once")


def _check_depth(data: bytes) -> None:
    """Runs before any parser recurses; most bodies have fewer brackets in all."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depths = accumulate(1 if bracket in b"[{" else -1 for bracket in BRACKET.findall(STRING.sub(b"", data)))
    if max(depths, default=0) > MAX_DEPTH:
        raise Problem("bad-request", says="the JSON is nested too deep", most=MAX_DEPTH)


# --- Query parameters: those in the document, and no others -----------------------------------------------------------
# A misspelled filter would return everything, so unknown parameters are refused by name. The
# document is the only list, so no endpoint can forget to keep one.


VERBS = ("get", "post", "put", "patch", "delete")


def check_query() -> None:
    """Raise Problem `unknown-parameter` if needed. Pages accept what mail programs add to links."""
    rule = request.url_rule
    if not request.args or rule is None or not rule.rule.startswith(("/v1/", "/.well-known/")):
        return
    if rule.endpoint.startswith("web."):
        return
    method = "GET" if request.method == "HEAD" else request.method
    known = _known(current_app).get((method, rule.rule), frozenset())
    found = sorted(set(request.args) - known)
    if found:
        raise Problem("unknown-parameter", found=found, expected=sorted(known))


Known = Mapping[tuple[str, str], frozenset[str]]


def _known(app: Flask) -> Known:
    """The names of query parameters by method and rule; read from the document once in a process."""
    if "query-parameters" not in app.extensions:
        app.extensions["query-parameters"] = _read_document(app, app.extensions["api"].document)
    kept: Known = app.extensions["query-parameters"]
    return kept


def _read_document(app: Flask, document: Mapping[str, Any]) -> Known:
    items = ((rule.rule, document["paths"].get(_path(rule.rule), {})) for rule in app.url_map.iter_rules())
    return {
        (verb.upper(), rule): _names(item, verb, document) for rule, item in items for verb in VERBS if verb in item
    }


def _path(rule: str) -> str:
    """The path as the document writes it: `/games/<uuid:game_id>` is `/games/{game_id}`."""
    return re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule)


def _names(item: Mapping[str, Any], verb: str, document: Mapping[str, Any]) -> frozenset[str]:
    given = [*item.get("parameters", ()), *item[verb].get("parameters", ())]
    whole = [_resolved(one, document) for one in given]
    return frozenset(one["name"] for one in whole if one["in"] == "query")


def _resolved(one: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    name = one.get("$ref", "").rpartition("/")[2]
    return document["components"]["parameters"][name] if name else one
