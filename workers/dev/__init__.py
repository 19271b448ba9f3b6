"""The house on one machine: a runner, an embedded Redis-protocol server and a mailbox. No real deployment needs it."""
