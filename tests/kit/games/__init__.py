"""Two tiny games, so that the contract is not one big game's: `pig` has a die, `bids` sealed simultaneous bids."""
