"""What follows from a situation about the server: shared memory, recovery, standbys."""
