"""The Textual application: pages, work in the background, the terminal."""
