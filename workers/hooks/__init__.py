"""Webhooks: what happens in an account's games, told to a program of its own."""
