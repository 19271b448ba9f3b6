"""Signatures and signed texts: keys, compact JWS, acts, moves, the server's note and the list of its keys."""
