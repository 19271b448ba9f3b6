"""What all resources share: flask-smorest with its three defects mended, the caller, ETags.

1. Errors are documented by status, as the application/problem+json that they are (`document/errors.py`).
2. What the framework refuses keeps its headers: `Allow` of a 405, `Retry-After` of a 429.
3. Pages are `after=` and `limit=`, not the X-Pagination header, whose documentation contradicts it.

A schema's docstring is its description in the document.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from functools import cached_property, partial, wraps
from typing import Any, ParamSpec
from urllib.parse import urlencode

import flask
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Response, current_app, g, request
from flask_smorest import Api
from flask_smorest.blueprint import Blueprint
from werkzeug.exceptions import HTTPException
from werkzeug.http import http_date

from server.http import credentials, origin
from server.http.credentials import Principal
from server.http.document import finished, operation_id
from server.http.document.errors import RAISED, RULES
from server.http.problems import http_problem
from server.http.requests import BodyParser
from server.http.schemas import ProblemSchema
from server.kernel.errors import Problem
from server.kernel.services import Services

P = ParamSpec("P")
UNCHANGED = "You have it already: `If-None-Match` was its `ETag`."
MORE = {"Link": {"$ref": "#/components/headers/Link"}}  # of a list that `paged` goes on with


class Described(OpenAPIConverter):
    """Schemas with what their docstrings say; as a Meta option that would lose `additionalProperties`."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        made: dict[str, Any] = super().schema2jsonschema(schema)
        kind = schema if isinstance(schema, type) else type(schema)
        return made | ({"description": kind.__doc__} if kind.__module__.startswith("server.") else {})


class DescribedPlugin(MarshmallowPlugin):
    """The plugin that uses it."""

    Converter = Described


class DocumentedApi(Api):
    """The API's document and its way to say no."""

    ERROR_SCHEMA = ProblemSchema  # type: ignore[assignment]  # flask-smorest infers its own

    def _init_spec(self, **given: Any) -> None:
        self.described_later: list[Callable[[], None]] = []
        super()._init_spec(marshmallow_plugin=DescribedPlugin(), **given)
        bearer = {"type": "http", "scheme": "bearer", "description": "An API token: `Authorization: Bearer sm_...`."}
        self.spec.components.security_scheme("token", bearer)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The document as it is published: made when it is first asked for, and never changed."""
        for describe in self.described_later:
            describe()
        return finished(self.spec.to_dict())

    def _openapi_json(self) -> Response:
        return flask.jsonify(self.document)

    def handle_http_exception(self, error: HTTPException) -> Response:
        return http_problem(error)


class StrictBlueprint(Blueprint):
    """Operations are named by the functions that carry them out, and bodies read strictly."""

    ARGUMENTS_PARSER = BodyParser()

    def register_views_in_doc(self, api: DocumentedApi, app: Any, spec: Any, **given: Any) -> None:
        """Later: describing takes longer than registering, and most processes are never asked for the document."""
        api.described_later.append(partial(super().register_views_in_doc, api, app, spec, **given))

    def _store_endpoint_docs(self, endpoint: str, obj: Any, *args: Any, **options: Any) -> None:
        super()._store_endpoint_docs(endpoint, obj, *args, **options)
        for method in options.get("methods", ("GET",)):
            manual = self._docs[endpoint][method.lower()].setdefault("manual_doc", {})
            manual.setdefault("operationId", operation_id(obj.__name__))


def resource(name: str, says: str, prefix: str = "/v1") -> Any:
    """A blueprint, under /v1 if nothing else is said."""
    return StrictBlueprint(name, __name__, url_prefix=prefix, description=says)


def services() -> Services:
    """The services of this app."""
    found: Services = current_app.extensions["sealedmove"]
    return found


def requires_scope(scope: str) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """The request must carry a token with this scope."""

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
            held = caller()
            if held is None:
                raise Problem("not-signed-in")
            if scope not in held.scopes:
                raise Problem("missing-scope", expected=scope, found=sorted(held.scopes))
            return view(*args, **kwargs)

        return _documented(guarded, [{"token": [scope]}])

    return decorate


def may_refuse(*statuses: int, by_rules: bool = False) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """It may answer these errors, beside those that follow from what it is; with `by_rules`, codes of a game."""
    return Blueprint.doc(**{RAISED: list(statuses)}, **({RULES: True} if by_rules else {}))  # type: ignore[no-any-return]  # flask-smorest has no annotations


def deprecated(since: datetime, ends: datetime, instead: str) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """It goes away: its answers say since when it is given up (RFC 9745), when it ends (RFC 8594), what to use."""

    def told(answer: Response) -> Response:
        answer.headers["Deprecation"] = f"@{int(since.timestamp())}"
        answer.headers["Sunset"] = http_date(ends)
        answer.headers.add("Link", f'<{instead}>; rel="deprecation"')
        return answer

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(view)
        def marked(*args: P.args, **kwargs: P.kwargs) -> Any:
            flask.after_this_request(told)
            return view(*args, **kwargs)

        return Blueprint.doc(deprecated=True)(marked)  # type: ignore[no-any-return]  # flask-smorest has no annotations

    return decorate


def takes_at_most(largest: Callable[[int], int]) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """Its request may have a body of another size than usual: `largest` is given the usual number of bytes."""

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        view.largest_body = largest  # type: ignore[attr-defined]  # every wrapper of a view carries its attributes on
        return view

    return decorate


def largest_body(usual: int) -> int:
    """How many bytes the body of this request may have."""
    view = current_app.view_functions.get(request.endpoint or "")
    largest = getattr(view, "largest_body", None)
    return usual if largest is None else int(largest(usual))


def token_optional(view: Callable[P, Any]) -> Callable[P, Any]:
    """Anybody may ask; who shows a token is answered from his own seat."""
    return _documented(view, [{}, {"token": ["read"]}])


def _documented(view: Callable[P, Any], security: list[dict[str, list[str]]]) -> Callable[P, Any]:
    return Blueprint.doc(security=security)(view)  # type: ignore[no-any-return]  # flask-smorest has no annotations


def caller() -> Principal | None:
    """Who shows a token, or asks from a page of ours and is signed in on it; None else.

    A token that is none of ours is refused. A cookie that does not count is as good
    as none: nobody learns from the answer that it was there.
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
    """Is the answer one account's alone? Then nobody keeps it, and a link's token or a new one least of all."""
    return g.get("caller") is not None or request.path.startswith(("/v1/me", "/v1/login"))


def account_id() -> int:
    """The caller's account, in a view that needs one."""
    held = caller()
    assert held is not None
    return held.account_id


def reader_id() -> int | None:
    """The caller's account if he shows a token that may read."""
    held = caller()
    if held is None:
        return None
    if "read" not in held.scopes:
        raise Problem("missing-scope", expected="read", found=sorted(held.scopes))
    return held.account_id


def paged(answer: Response, after: object) -> Response:
    """If there is more, `Link` says where: the same address with the same filters, from `after` on; None: no more."""
    if after is not None:
        asked = {name: value for name, value in request.args.items() if name != "wait"}
        next_page = f'<{request.path}?{urlencode(asked | {"after": str(after)})}>; rel="next"'
        answer.headers.add("Link", next_page)
    return answer


def tagged(body: Any, *, private: bool = False) -> Response:
    """A body with its ETag; 304 without a body if the caller has it already."""
    answer: Any = body if isinstance(body, Response) else flask.jsonify(body)
    if private:
        answer.headers["Cache-Control"] = "private, no-store"
    else:
        answer.headers["Cache-Control"] = "no-cache"
    answer.vary.add("Authorization")
    return conditional(answer)


# --- The ETag of an answer --------------------------------------------------------------------------------------------
# of its bytes, so that whatever changes in it, by an entry or without one, changes the tag.


def has_already(answer: Response) -> bool:
    """Does `If-None-Match` name this very answer?"""
    return request.if_none_match.contains_weak(tag(answer))


def tag(answer: Response) -> str:
    """Of its bytes."""
    return hashlib.sha256(answer.get_data()).hexdigest()[:32]


def conditional(answer: Response) -> Response:
    """The answer with its tag; 304 and no body if the caller has it already."""
    answer.set_etag(tag(answer))
    answer.make_conditional(request)
    return answer
