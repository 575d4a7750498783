"""The wizard's screens: one module a step, one style sheet for all."""
