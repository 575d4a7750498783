"""Other tools that manage settings of this machine."""
