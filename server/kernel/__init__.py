"""What every room is built on: settings, errors, the database, the services passed to each use case."""
