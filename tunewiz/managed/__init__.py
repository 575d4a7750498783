"""Plans for servers that somebody else runs: their facts, Terraform, command lines, Kustomize and Helm."""
