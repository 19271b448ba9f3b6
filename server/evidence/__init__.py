"""What anybody may check: the log, bundles, audits, checkpoints; and missing entries that people submit."""
