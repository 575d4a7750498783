"""What the application is made of: its pages, its work in the background, its end."""
