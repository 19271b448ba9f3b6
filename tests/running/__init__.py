"""Reports on a run of the tests, such as left out tests and times, and the end of its processes."""

# In the environment of all processes of a run. A test that gives a process its own environment must pass it on.
MARK = "SEALEDMOVE_TEST_RUN"
