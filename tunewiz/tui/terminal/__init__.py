"""Textual's terminal driver, adapted to bad and slow lines."""
