"""Bundles for whoever keeps a server's configuration: Patroni, an operator of Kubernetes, autobase."""
