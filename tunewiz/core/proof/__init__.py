"""What a plan is worth on one server: records of what was measured there, and statistics for claims."""
