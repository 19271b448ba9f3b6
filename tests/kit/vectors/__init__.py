"""The test vectors of the record, made by the second implementation; `python -m tests.kit.vectors` writes them."""
