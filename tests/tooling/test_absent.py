"""The helpers that look for a leaked secret find each leak and ignore random words."""

import random
from email.message import EmailMessage

import pytest
import redis
import rq

from tests.kit.absent import mailed, mentions, not_told
from tests.servers.redis import held

RANDOM = "".join(
    random.Random(1).choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", k=200_000)
)


@pytest.mark.parametrize("word", ["77", "red", "Ada", "roll", "sm_", "BidSealed"])
def test_a_word_that_may_occur_by_chance_is_refused_as_a_secret(word):
    """As a whole word it is found in every leak and never in random text."""
    with pytest.raises(AssertionError, match="may occur by chance"):
        not_told(word, "nothing")
    assert mentions(word, RANDOM + word + RANDOM) == 0
    for leak in (f'{{"told": "{word}"}}', f"says {word}.", f"<b>{word}</b>", f"'{word}'", f"{word}\n"):
        assert mentions(word, f"{RANDOM} {leak} {RANDOM}") == 1


@pytest.mark.parametrize("secret", ["bid 3", "/u/", "ada@", "x" * 12, '"red"'])
def test_a_secret_is_found(secret):
    """In any of the texts."""
    not_told(secret, RANDOM, "")
    with pytest.raises(AssertionError, match="was told"):
        not_told(secret, "", f"{RANDOM}{secret}{RANDOM}")


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable"])
def test_a_mail_is_decoded_before_it_is_searched(encoding):
    """Wrapping and encoding hide nothing, and a picture is not read as words."""
    mail = EmailMessage()
    mail["Subject"] = "Grüße"
    mail.set_content("y" * 70 + " evil.example " + "y" * 70, cte=encoding)
    mail.add_attachment(b"evil.example", "image", "png")
    assert mailed(mail).count("evil.example") == 1
    assert "Subject: Grüße" in mailed(mail)


def test_all_content_of_a_redis_is_searched(redis_url):
    """Values of every kind, and the content of RQ's jobs."""
    with redis.Redis.from_url(redis_url) as client:
        rq.Queue("mail", connection=client).enqueue("workers.nothing", "a leaked word")
        client.set("plain", "one")
        client.xadd("a stream", {"two": "three"})
        client.zadd("sorted", {"four": 4})
        told = held(client)
    assert all(mentions(word, told) for word in ("plain", "one", "two", "three", "four", "leaked"))
