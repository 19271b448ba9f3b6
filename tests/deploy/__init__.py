"""What an operator installs beside the processes."""
