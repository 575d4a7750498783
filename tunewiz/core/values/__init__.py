"""Sizes, times, versions, settings, and what is known: the vocabulary of everything else."""
