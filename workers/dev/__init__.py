"""Everything on one machine: a runner, an embedded Redis-protocol server and a mailbox. Not for real deployments."""
