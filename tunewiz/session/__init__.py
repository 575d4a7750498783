"""A run of the wizard on disk."""
