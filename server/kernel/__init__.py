"""The base of every room: settings, errors, the database, the services passed to each use case."""
