"""Control-group limits."""
