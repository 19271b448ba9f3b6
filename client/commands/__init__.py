"""The commands of `sealedmove` that a player or an auditor runs. They need `engine` and the network, not the server."""
