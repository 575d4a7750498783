"""Keepers (Patroni, operators), which manage a server's configuration: what they accept, drop and refuse."""
