"""Messages by Standard Webhooks, verified by its own library, and Ed25519 by PyNaCl."""

import json
import time
from base64 import b64decode

import pytest
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from server.kernel.secrets import hook_secret, shown_hook_secret
from workers.hooks.signing import headers

MASTER, BODY = bytes(range(32)), json.dumps({"n": 1}).encode()
SECRET, FORMER = hook_secret(MASTER, b"a" * 16), hook_secret(MASTER, b"b" * 16)


def made(signature, *secrets):
    return headers("h1-e1", int(time.time()), BODY, signature, secrets)


def test_the_standards_library_accepts_a_symmetric_signature():
    """With the secret as it was shown."""
    assert Webhook(shown_hook_secret("v1", SECRET)).verify(BODY, made("v1", SECRET)) == {"n": 1}


@pytest.mark.parametrize("change", ["body", "id", "time", "secret"])
def test_a_changed_message_is_refused_by_the_library(change):
    """Body, id, time: all of it is signed."""
    told, body, secret = made("v1", SECRET), BODY, SECRET
    if change == "body":
        body = BODY.replace(b"1", b"2")
    elif change == "id":
        told["webhook-id"] = "h1-e2"
    elif change == "time":
        told["webhook-timestamp"] = str(int(told["webhook-timestamp"]) + 1)
    else:
        secret = FORMER
    with pytest.raises(WebhookVerificationError):
        Webhook(shown_hook_secret("v1", secret)).verify(body, told)


def test_during_a_change_either_secret_verifies():
    """Both signatures are in one header."""
    told = made("v1", SECRET, FORMER)
    assert told["webhook-signature"].count("v1,") == 2
    for secret in (SECRET, FORMER):
        assert Webhook(shown_hook_secret("v1", secret)).verify(BODY, told) == {"n": 1}


def test_an_ed25519_signature_verifies_with_the_public_key_alone():
    """With no other key, and over no other bytes."""
    told = made("v1a", SECRET)
    version, _, signature = told["webhook-signature"].partition(",")
    signed = f"{told['webhook-id']}.{told['webhook-timestamp']}.".encode() + BODY
    key, other = (VerifyKey(b64decode(shown_hook_secret("v1a", s).removeprefix("whpk_"))) for s in (SECRET, FORMER))
    assert version == "v1a"
    assert key.verify(signed, b64decode(signature)) == signed
    with pytest.raises(BadSignatureError):
        other.verify(signed, b64decode(signature))
    with pytest.raises(BadSignatureError):
        key.verify(signed + b" ", b64decode(signature))


def test_the_secret_depends_on_the_master_and_on_the_hook():
    """Of an Ed25519 hook only the public half is shown."""
    assert len({SECRET, FORMER, hook_secret(bytes(32), b"a" * 16)}) == 3
    assert b64decode(shown_hook_secret("v1", SECRET).removeprefix("whsec_")) == SECRET
    assert SECRET not in b64decode(shown_hook_secret("v1a", SECRET).removeprefix("whpk_"))
