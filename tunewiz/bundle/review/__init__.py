"""REVIEW.md."""
