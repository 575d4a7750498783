"""The wizard's screens: one module and one style sheet a step."""
