"""The wizard line by line: for screen readers, serial consoles and terminals without a cursor to move."""
