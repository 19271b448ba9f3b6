"""The laws of the log: the order of entries, and the admission of acts."""
