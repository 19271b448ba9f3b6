"""URLs of webhooks: every form on which URL parsers disagree."""

import pytest

from server.hooks.urls import parse
from server.kernel.errors import Problem

FORGED = [
    "http://receiver.example/",
    "ftp://receiver.example/",
    "//receiver.example/",
    "receiver.example/hook",
    "https:/receiver.example/",
    "https:///receiver.example/",
    "https://",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://a.localhost/",
    "https://printer.local/",
    "https://db.internal/",
    "https://router.home.arpa/",
    "https://intranet/",
    "https://receiver.example./",
    "https://.example/",
    "https://a..example/",
    "https://-a.example/",
    "https://a-.example/",
    f"https://{'a' * 64}.example/",
    "https://a_b.example/",
    "HTTPS://receiver.example/",
    "https://receiver.LOCAL/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://a.0x7f/",
    "https://a.0x/",
    "https://0177.0.0.1/",
    "https://8.8.8.8/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[2606:4700::1111]/",
    "https://user@receiver.example/",
    "https://user:word@receiver.example/",
    "https://receiver.example@127.0.0.1/",
    "https://127.0.0.1#@receiver.example/",
    "https://127.0.0.1\\@receiver.example/",
    "https://receiver.example\\@127.0.0.1/",
    "https://receiver.example/a#b",
    "https://receiver.example#",
    "https://receiver.example/a b",
    "https://receiver.example/\x00",
    "https://receiver.example/\r\nX: y",
    "https://receiver.example/\n",
    " https://receiver.example/",
    "https://receiver.example/ä",
    "https://rec\u00e9iver.example/",
    "https://receiver\u3002example/",
    "https://\uff11\uff12\uff17.0.0.1/",
    "https://receiver%2eexample/",
    "https://receiver.example/%",
    "https://receiver.example/%0",
    "https://receiver.example/[x]",
    "https://receiver.example:/",
    "https://receiver.example:0/",
    "https://receiver.example:22/",
    "https://receiver.example:80/",
    "https://receiver.example:6379/",
    "https://receiver.example:65979/",
    "https://receiver.example:443443/",
    "https://receiver.example:+443/",
    "https://receiver.example:٤٤٣/",
    "https://receiver.example/" + "a" * 500,
]

GOOD = {
    "https://receiver.example": "https://receiver.example/",
    "https://Receiver.Example/Hook": "https://receiver.example/Hook",
    "https://receiver.example:443/x": "https://receiver.example/x",
    "https://receiver.example:8443/x?a=b&c=%20": "https://receiver.example:8443/x?a=b&c=%20",
    "https://receiver.example?a=b": "https://receiver.example/?a=b",
    "https://xn--bcher-kva.example/": "https://xn--bcher-kva.example/",
    "https://a-b.example/a@b": "https://a-b.example/a@b",
}


@pytest.mark.parametrize("url", FORGED)
def test_a_url_that_parsers_read_differently_is_refused(url):
    """The refusal shows what is expected."""
    with pytest.raises(Problem) as refused:
        parse(url)
    assert refused.value.code == "bad-hook-url"
    assert refused.value.facts["expected"]


@pytest.mark.parametrize("url", GOOD)
def test_a_plain_https_url_is_normalised(url):
    """Into one spelling, which all parsers read alike."""
    assert str(parse(url)) == GOOD[url]
    assert parse(GOOD[url]) == parse(url)
