"""What anybody may check: the log, bundles, audits, notes compared, entries handed in again."""
