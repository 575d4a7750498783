"""Keeps looks at a server at work in a file of bounded size, and finds its busiest hour."""
