"""Running policies in a client: time budgets, processes that can be killed, and matches that measure strength."""
