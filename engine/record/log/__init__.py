"""The log: its entries, the file that holds it, the clock, and the table that follows from it by a fold."""
