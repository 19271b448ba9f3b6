"""Other people's programs on the API's document: linters, and clients generated from it."""
