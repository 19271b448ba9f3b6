"""Games before they start, and as lists: opened, found, cancelled, given more time, with invitations."""
