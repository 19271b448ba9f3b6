"""Bytes: canonical JSON, base64url, hashes, instants, and the exact members of an object."""
