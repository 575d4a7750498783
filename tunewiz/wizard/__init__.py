"""The wizard without a user interface: its state, its ports, its outcome."""
