"""Two tiny games that keep the contract general: `pig` has a die, `bids` has sealed simultaneous bids."""
