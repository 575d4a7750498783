"""Which machine this is, and what it runs in."""
