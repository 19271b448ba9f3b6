"""The vectors of statements that an account signs, judged by the server: docs/spec/account.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import keys
from server.accounts import statements
from server.accounts.keys import write
from server.accounts.statements import AccountAct
from server.kernel.db.models import Account, AccountKey, KeyChallenge
from server.kernel.errors import Problem
from tests.kit.vectors.__main__ import FOLDER
from tests.kit.vectors.accounts import ACCOUNT, DROPPED_SEED, NONCE, SEED
from tests.kit.vectors.cases import read
from tests.server.harness import Harness


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("ascii"))["cases"]
    return found


@pytest.fixture
def seven(hall: Harness) -> Harness:
    """Account 7 with a challenge that was given now."""
    now = hall.clock()
    with hall.services.database.write() as session:
        session.add(Account(id=ACCOUNT, name="Seven", email="seven@example.org", created_at=now))
        session.flush()
        session.add(KeyChallenge(account_id=ACCOUNT, nonce=NONCE, created_at=now))
    return hall


def register(house: Harness, compact: str) -> None:
    write.register(house.services, ACCOUNT, compact)


def state(house: Harness, compact: str) -> None:
    public = keys.public_of(SEED)
    kid, x = keys.thumbprint(public), canonical.to_base64url(public)
    with house.services.database.write() as session:
        session.add(AccountKey(account_id=ACCOUNT, kid=kid, x=x, counts=True, created_at=house.clock()))
        session.flush()
        due = AccountAct(ACCOUNT, "drop-key", keys.thumbprint(keys.public_of(DROPPED_SEED)))
        statements.check(house.services, session, compact, due)


def is_used(house: Harness) -> bool:
    with house.services.database.read() as session:
        return session.query(KeyChallenge).filter_by(nonce=NONCE).one().used_at is not None


@pytest.mark.parametrize(
    ("judge", "case"),
    [*((register, one) for one in cases("registrations")), *((state, one) for one in cases("statements"))],
    ids=lambda given: given["name"] if isinstance(given, dict) else given.__name__,
)
def test_each_case_is_accepted_or_refused_with_its_code(seven: Harness, judge: Any, case: dict[str, Any]):
    """A refused one does not use its challenge up."""
    found = None
    try:
        judge(seven, read(case["input"]).decode("utf-8"))
    except (BadRecord, Problem) as no:
        found = no.code
    assert found == case["code"]
    assert is_used(seven) == (found is None)


@pytest.mark.parametrize("judge", [register, state])
def test_a_challenge_is_good_once(seven: Harness, judge: Any):
    """The same bytes a second time are refused, whatever was done with the first."""
    [good, *_] = cases("registrations" if judge is register else "statements")
    judge(seven, good["input"])
    with pytest.raises(Problem) as no:
        statements_again(seven, good["input"], judge)
    assert no.value.code == "bad-challenge"


def statements_again(house: Harness, compact: str, judge: Any) -> None:
    if judge is register:
        register(house, compact)
        return
    due = AccountAct(ACCOUNT, "drop-key", keys.thumbprint(keys.public_of(DROPPED_SEED)))
    with house.services.database.write() as session:
        statements.check(house.services, session, compact, due)
