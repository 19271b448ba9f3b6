"""`make bench`: speeds, printed side by side in one run. Ratios are printed and never asserted."""
