"""Games before they begin, and as lists: opened, found, cancelled, given time; who may be asked to a seat."""
