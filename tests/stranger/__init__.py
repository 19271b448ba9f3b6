"""A verifier of the record, written from docs/spec/record.md alone: no code of the project, no rules."""
