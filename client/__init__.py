"""The reference client for third parties: keys, signed acts, one's own checked copy of the log. Knows only engine."""
