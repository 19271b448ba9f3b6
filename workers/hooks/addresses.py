"""The addresses that webhooks may be sent to: public unicast, and none that leads into a private network (pure).

`is_global` of the standard library follows IANA's registry of globally reachable blocks, so it is also true for
multicast, relays and a cloud's metadata service. Hence a list of allowed blocks for IPv6, and of further refused ones
for IPv4.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# IANA, IPv4 Special-Purpose Address Registry: assigned for protocols, AS112, AMT, 6to4 relays.
NOT_4 = tuple(
    IPv4Network(block)
    for block in ("192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24")
)
UNICAST_6 = IPv6Network("2000::/3")
# Of 2000::/3: protocol assignments with Teredo, documentation, 6to4, AS112, documentation again.
NOT_6 = tuple(
    IPv6Network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)


def is_public(address: str) -> bool:
    """True for a public unicast address; False if it cannot be parsed."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv4Address):
        return _is_public_4(found)
    if found.ipv4_mapped is not None:
        return _is_public_4(found.ipv4_mapped)
    return _is_public_6(found)


def _is_public_4(address: IPv4Address) -> bool:
    return address.is_global and not address.is_multicast and not any(address in block for block in NOT_4)


def _is_public_6(address: IPv6Address) -> bool:
    return address.scope_id is None and address in UNICAST_6 and not any(address in block for block in NOT_6)
