"""What a server's own log tells of its work."""
