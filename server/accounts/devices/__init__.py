"""Sign-in for programs without a browser: the OAuth 2.0 device authorization grant (RFC 8628)."""
