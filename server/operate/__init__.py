"""How an operator starts the server, watches it, and decides what it cannot decide itself."""
