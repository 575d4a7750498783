#!/bin/sh
# Is this host healthy after the change? Replace it with a check of your application (group_vars/tunewiz_fleet.yml names it).
# Its argument is the directory of the bundle. Status 0 confirms the change; any other stops the rollout.
# This one checks again after a few seconds that the server accepts connections and has all planned values.
set -eu
sleep 10
exec sh "$1/verify.sh"
