"""Which address a client counts as (pure)."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address


def counted_as(peer: str) -> str:
    """The client whose limits apply: of IPv6 the network of 64 bits, of which one host may have every address.

    An IPv4 address is the same in either form, and a name such as `local` stays as it is.
    """
    try:
        found = ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((int(found), 64), strict=False))
