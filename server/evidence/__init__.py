"""Logs, bundles, audits and checkpoints, which anyone may check; and missing entries that people submit."""
