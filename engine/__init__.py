"""The engine: rules, replay and the bytes of the record. Pure: no IO, no clock, no randomness, no framework."""
