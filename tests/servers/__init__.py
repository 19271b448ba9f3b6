"""Real servers for the tests: Redis protocol, PostgreSQL and SMTP, started by the tests in a temporary folder."""
