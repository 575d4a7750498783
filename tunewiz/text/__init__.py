"""Text for people, made without Textual: for the screen, `--plain` and the command line."""
