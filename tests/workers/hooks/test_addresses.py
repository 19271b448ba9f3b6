"""Public addresses: tables of those that look harmless and are not."""

import re

import pytest

from workers.hooks.addresses import is_public

PRIVATE = """
0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.1.2.3 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1
192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1 198.18.0.1 198.51.100.1
203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:224.0.0.1 ::ffff:0:127.0.0.1
64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1 2001:20::1
2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe::1 2620:4f:8000::1 3fff::1 4000::1 5f00::1 fc00::1 fd12:3456::1 fe80::1
fe80::1%eth0 fec0::1 ff02::1 2606:4700::1%eth0
127.1 2130706433 0x7f000001 0177.0.0.1 localhost 1.1.1 1.1.1.1.1 1.1.1.1/32 [::1]
"""

PUBLIC = """
1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.32.0.1 192.0.1.1 198.17.0.1 223.255.255.255
2001:200::1 2001:4860:4860::8888 2003::1 2606:4700::1111 2a00:1450::1 3ffe::1 ::ffff:8.8.8.8
"""


@pytest.mark.parametrize("address", re.findall(r"\S+", PRIVATE))
def test_an_address_that_is_not_public_is_refused(address):
    """Private, local, shared, reserved, documentation, relay, a way into IPv4, or not an address."""
    assert not is_public(address)


@pytest.mark.parametrize("address", re.findall(r"\S+", PUBLIC))
def test_a_public_address_is_accepted(address):
    """Including the neighbours of the refused blocks."""
    assert is_public(address)
