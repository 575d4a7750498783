#!/bin/sh
# Collects what tunewiz needs for a plan, on a server that has nothing but a POSIX shell.
#
#   sh collect.sh >server.tunewiz               better as root, which may read more
#   tunewiz facts --from server.tunewiz         elsewhere
#
# It only reads, and writes to standard output alone. It takes no serial numbers, keys, passwords, addresses of
# network cards, environments or command lines. Of the configuration of PostgreSQL it takes names and values, without
# comments, and without the values of settings that may hold a secret. The machine id goes out as a hash only.
# It does take the host's name, the names of mounts, disks and boot entries, and the directories of PostgreSQL.
#
# Every line is a record's head (a letter, a blank, a path) or, after a blank, one of its lines:
#   T text   A text whose lines are parted by NUL   B bytes in hexadecimal   L the target of a link
#   D a directory   E something that is there, its content not taken   N the same, but it may not be read
#   O owner: user, group, mode   S size of the file system and what is free, in thousands of bytes as df has it
#   I inodes of that file system and those that are free
# `end` is the last record, and after it stands the number of all lines before: a file without it was cut.
