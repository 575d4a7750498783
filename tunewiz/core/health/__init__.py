"""What troubles a server that no setting mends."""
