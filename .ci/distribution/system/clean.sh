#!/bin/sh
# Before removal and upgrade: the compiled files, which no package lists.
set -eu
if [ -d /usr/lib/tunewiz ]; then
    find /usr/lib/tunewiz -depth -type d -name __pycache__ -exec rm -rf {} +
fi
