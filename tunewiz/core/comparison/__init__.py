"""Two plans side by side, and what other generators would set beside this plan; pure."""
