"""A second verifier of the record, written from docs/spec/record.md alone. It knows no rules of games."""
