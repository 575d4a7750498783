#!/bin/sh
# After installation and upgrade: compiled files of an earlier version go, those of this one are made.
# Without them the program runs too, only slower: that ends no installation.
set -eu
find /usr/lib/tunewiz -depth -type d -name __pycache__ -exec rm -rf {} +
/usr/bin/python3 -I /usr/lib/tunewiz/byte_compile.py ||
    echo "tunewiz: its modules could not be compiled: it starts slower" >&2
