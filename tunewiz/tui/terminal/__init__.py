"""Textual's terminal, made to survive a bad line and to send little over it."""
