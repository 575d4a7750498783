"""What control groups allow."""
