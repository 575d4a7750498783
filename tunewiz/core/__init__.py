"""The pure core: records and decisions, without a file, a clock or a socket."""
