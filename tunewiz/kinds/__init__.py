"""What a bundle can do to a machine: a folder for each kind of action, Python beside shell.

The module of a folder holds the kind's action, the parts beside it are read by the bundle's scripts.
"""
