"""What is signed, by whom and how: keys, compact JWS, acts, moves, the server's note and the list of its keys."""
