"""What is sent and answered, as marshmallow schemas; files are named as those of the resources."""
