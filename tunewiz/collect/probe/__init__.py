"""Measures the storage of a server's data directory within a budget, in a process with its owner's rights."""
