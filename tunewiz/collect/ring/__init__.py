"""Keeps samples of a running server in a file of bounded size, and finds its busiest hour."""
