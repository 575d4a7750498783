"""Memory and huge pages."""
