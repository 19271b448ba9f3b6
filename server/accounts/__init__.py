"""Accounts: signing in, sessions, tokens, waiting acts, and leaving."""
