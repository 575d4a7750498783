"""Runs pgbench with and without a bundle's changes, and puts everything back however that ends."""
