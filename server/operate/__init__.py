"""How an operator starts the server, watches it, and decides where it cannot."""
