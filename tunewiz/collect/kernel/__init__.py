"""Kernel settings and the boot loader."""
