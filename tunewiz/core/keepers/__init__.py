"""What keeps a server's configuration in place of files, and what it takes, drops and refuses."""
