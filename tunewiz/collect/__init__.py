"""Everything that reads the machine, through one interface, subject by subject."""
