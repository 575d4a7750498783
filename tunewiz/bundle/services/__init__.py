"""A plan as Terraform or as command lines for a managed service, and its undo."""
