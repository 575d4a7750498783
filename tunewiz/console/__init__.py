"""Standard streams, exit statuses, interrupts: what every command shares."""
