"""A caller as a request with a token has one, for tests that call a use case directly."""

from __future__ import annotations

from server.http import credentials
from server.http.credentials import SCOPES, Principal
from server.kernel.services import Services


def principal_of(services: Services, account_id: int) -> Principal:
    """By a new token with all scopes."""
    with services.database.write() as session:
        token, _ = credentials.issue_token(services, session, account_id, "a test", SCOPES)
    found = credentials.token_holder(services, token)
    assert found is not None
    return found
