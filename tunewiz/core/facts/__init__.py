"""What was learned about a machine and its servers."""
