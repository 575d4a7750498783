"""The identity of the machine, and what it runs in."""
