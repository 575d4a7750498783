"""The fixed scripts of a bundle and the parts that all kinds of action share, copied verbatim."""
