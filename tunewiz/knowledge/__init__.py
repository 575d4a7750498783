"""What comes with the program: sources, settings, presets, examples, help."""
