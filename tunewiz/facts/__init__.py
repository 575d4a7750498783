"""Collectors: each reads one subject from a System and returns facts."""
