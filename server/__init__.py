"""The API and persistence: an imperative shell around the pure engine. See README.md."""
