"""The change bundle: rendered, written, checked; its scripts are fixed files."""
