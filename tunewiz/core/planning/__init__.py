"""From recommendations and a situation to a plan: findings, constraints, one memory budget, warnings."""
