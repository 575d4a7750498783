"""Runs pgbench on a server with and without a bundle's changes, and puts everything back whatever ends it."""
