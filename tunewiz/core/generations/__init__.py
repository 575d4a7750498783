"""Bundles that followed one another on a host: what of each is in force, and how two of them differ."""
