"""What a person can do for single tables: parameters, indexes, and what to look at."""
