"""The headers of a message (Standard Webhooks): its id, the time of this attempt, and a signature with each secret."""

from __future__ import annotations

from collections.abc import Sequence

from server.kernel import secrets as kernel_secrets

AGENT = "SealedMove/1 (webhook)"


def headers(message: str, at: int, body: bytes, signature: str, secrets: Sequence[bytes]) -> dict[str, str]:
    """The headers; `at` is in seconds. While a secret is being replaced there are two, the newest first."""
    signed = f"{message}.{at}.".encode() + body
    return {
        "content-type": "application/json",
        "user-agent": AGENT,
        "webhook-id": message,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(kernel_secrets.sign_hook(signature, secret, signed) for secret in secrets),
    }
