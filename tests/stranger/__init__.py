"""A second verifier of the record, written from the texts of docs/spec alone. It knows no rules of games."""
