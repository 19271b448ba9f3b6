"""Time that does not count: holidays of accounts, pauses of tables, outages of the server."""
