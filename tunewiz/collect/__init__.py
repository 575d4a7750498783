"""Everything behind the one door to the machine: what reads it, subject by subject."""
