"""People invited to a table by their handle or address: seats kept for them, which they take or decline."""
