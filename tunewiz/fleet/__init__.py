"""Many servers at once: their facts are read and planned, grouped, and written as one rollout."""
