"""Incoming mail: verifying the sender, reading the commands, acting on them."""
