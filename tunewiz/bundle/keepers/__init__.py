"""Bundles for keepers, which manage a server's configuration: Patroni, Kubernetes operators, autobase."""
