"""PostgreSQL servers: running ones are asked, of stopped ones the files are read."""
