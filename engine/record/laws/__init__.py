"""Which entry may follow which, and which act is admitted."""
