"""Data: sources and their claims, workload and risk presets, example machines, settings by version."""
