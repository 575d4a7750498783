"""File systems, down to their disks."""
