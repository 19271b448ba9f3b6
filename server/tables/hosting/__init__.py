"""What the host of a table may do before the start, and what happens to tables that do not start."""
