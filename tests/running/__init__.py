"""How a run of the tests is told: what it left out, how long it took, and that nothing outlives it."""

# In the environment of all that a run starts. A test that gives a process an environment of its own hands it on.
MARK = "SEALEDMOVE_TEST_RUN"
