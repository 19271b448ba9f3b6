"""Reports on a run of the tests, such as times and tests that were left out, and the end of its processes."""

# In the environment of all processes of a run. A test that gives a process its own environment must pass it on.
MARK = "SEALEDMOVE_TEST_RUN"
