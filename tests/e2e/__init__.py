"""Everything together, as a person or a third party's program meets it."""
