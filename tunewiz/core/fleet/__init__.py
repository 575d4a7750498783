"""Many servers: which have the same decisions, what differs, what must be done first where."""
