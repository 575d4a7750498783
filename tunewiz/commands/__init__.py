"""One module for each command; each is imported when it is typed."""
