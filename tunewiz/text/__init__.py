"""What people read, made without Textual: on the screen, line by line, on the command line."""
