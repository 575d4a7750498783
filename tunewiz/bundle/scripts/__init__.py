"""The fixed scripts of a bundle, copied verbatim."""
