"""What becomes of a server's settings in a newer major version."""
