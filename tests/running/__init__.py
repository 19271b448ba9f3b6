"""How a run of the tests is told: what it left out, how long it took, and that nothing outlives it."""
