"""What people and the operator may do about other people."""
