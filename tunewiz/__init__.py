"""Tune PostgreSQL on Linux: explained, whole, reversible, true to the machine."""

__version__ = "0.1.0"
