"""An account's keys, and the backup of its recovery key."""
