"""PostgreSQL servers: running ones are queried; for stopped ones the files are read."""
