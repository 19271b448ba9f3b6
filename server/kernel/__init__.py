"""What every room stands on: settings, errors, the database, the services that a use case is given."""
