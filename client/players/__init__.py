"""Players as a client runs them: time, processes that can be killed, and matches that measure strength."""
