"""Our games in the conventions of others: wrappers to copy, and the others' own tests run on them (`make peers`)."""
