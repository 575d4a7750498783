#!/bin/sh
# Runs shellcheck over every script of the checkout: the bundle's own and the tools'.
set -eu
cd "$(dirname "$0")/.."
PATH=$(pwd)/.venv/bin:$PATH
command -v shellcheck >/dev/null || {
    echo "shellcheck is missing (it comes with \"make check\" on x86_64 and aarch64; Debian: apt-get install shellcheck)" >&2
    exit 3
}
find . \( -name .venv -o -name .git -o -name build -o -name dist \) -prune \
    -o -type f \( -name '*.sh' -o -path './.ci/run' -o -path ./docs/completion/tunewiz \) -exec shellcheck --external-sources --source-path=SCRIPTDIR -- {} +
