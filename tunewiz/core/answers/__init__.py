"""What the administrator says: the questions, how answers are read, and what they can be."""
