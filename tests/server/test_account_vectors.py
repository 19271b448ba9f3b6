"""The vectors of statements that an account signs, judged by the server: docs/spec/account.md."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.orm import Session

from conformance.vector_files import load, read
from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import keys
from server.accounts import statements
from server.accounts.keys import write
from server.accounts.statements import AccountAct
from server.kernel.db.models import Account, AccountKey, KeyBox, KeyChallenge
from server.kernel.errors import Problem
from tests.kit.vectors.accounts import ACCOUNT, EXAMPLE, NONCE, RECOVERY_SEED, SEED
from tests.server.harness import Harness


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = load(name)["cases"]
    return found


@pytest.fixture
def account_with_challenge(hall: Harness) -> Harness:
    """Account 7 with a fresh challenge."""
    now = hall.clock()
    with hall.services.database.write() as session:
        session.add(Account(id=ACCOUNT, name="Seven", email="seven@example.org", created_at=now))
        session.flush()
        session.add(KeyChallenge(account_id=ACCOUNT, nonce=NONCE, created_at=now))
    return hall


def register(house: Harness, case: dict[str, Any]) -> None:
    write.register(house.services, ACCOUNT, read(case["input"]).decode("utf-8"))


def state(house: Harness, case: dict[str, Any]) -> None:
    now, recovery = house.clock(), jwk_of(RECOVERY_SEED)
    with house.services.database.write() as session:
        session.add(AccountKey(account_id=ACCOUNT, **jwk_of(SEED), counts=True, created_at=now))
        if case["backup"]:
            session.add(KeyBox(account_id=ACCOUNT, box=EXAMPLE[1], **recovery, created_at=now))
        session.flush()
        check(house, session, case)


def check(house: Harness, session: Session, case: dict[str, Any]) -> None:
    due = AccountAct(ACCOUNT, case["act"], case["about"])
    statements.check(house.services, session, read(case["input"]).decode("utf-8"), due)


def jwk_of(seed: bytes) -> dict[str, str]:
    """Columns of a key."""
    public = keys.public_of(seed)
    return {"kid": keys.thumbprint(public), "x": canonical.to_base64url(public)}


def is_used(house: Harness) -> bool:
    with house.services.database.read() as session:
        return session.query(KeyChallenge).filter_by(nonce=NONCE).one().used_at is not None


@pytest.mark.parametrize(
    ("judge", "case"),
    [*((register, one) for one in cases("registrations")), *((state, one) for one in cases("statements"))],
    ids=lambda given: given["name"] if isinstance(given, dict) else given.__name__,
)
def test_each_case_is_accepted_or_refused_with_its_code(
    account_with_challenge: Harness, judge: Any, case: dict[str, Any]
):
    """A refused statement does not use up its challenge."""
    found = None
    try:
        judge(account_with_challenge, case)
    except (BadRecord, Problem) as no:
        found = no.code
    assert found == case["code"]
    assert is_used(account_with_challenge) == (found is None)


@pytest.mark.parametrize("judge", [register, state])
def test_a_challenge_works_once(account_with_challenge: Harness, judge: Any):
    """The same bytes are refused a second time, whatever became of the first."""
    [good, *_] = cases("registrations" if judge is register else "statements")
    judge(account_with_challenge, good)
    with pytest.raises(Problem) as no, account_with_challenge.services.database.write() as session:
        check(account_with_challenge, session, good) if judge is state else register(account_with_challenge, good)
    assert no.value.code == "bad-challenge"
