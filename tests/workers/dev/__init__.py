"""The whole server on one machine."""
