"""The wizard without a toolkit: what it knows, what it may do, how it ends."""
