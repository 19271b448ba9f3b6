"""Webhooks: the events of an account's games, posted to its own program."""
