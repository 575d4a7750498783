"""What a recommendation is made of, and the situation that it looks at."""
