"""What strangers' programs make of the API's document: linters, and clients that are generated from it."""
