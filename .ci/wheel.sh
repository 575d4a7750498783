#!/bin/sh
# Builds the sdist, the wheel from the sdist, and runs the wheel in an environment of its own, far from the checkout:
# its commands, then its wizard, walked through in a terminal where the checkout cannot be reached.
set -eu
umask 022
cd "$(dirname "$0")/.."
checkout=$(pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

rm -rf dist
.venv/bin/python -m build --no-isolation --outdir dist . >"$scratch/build.log" 2>&1 || {
    cat "$scratch/build.log" >&2
    exit 1
}
.venv/bin/python -m venv "$scratch/venv"
pip() {
    "$scratch/venv/bin/python" -m pip -q --disable-pip-version-check --no-input "$@" </dev/null
}
pip install --no-deps --require-hashes -r requirements.lock
pip install --no-deps --no-index dist/tunewiz-*.whl
pip check

# The wheel holds every file of the package, data too, and nothing else but its metadata.
files() {
    (cd "$1" && find -L . -type f ! -name '*.py[co]' | LC_ALL=C sort)
}
installed=$("$scratch/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
files tunewiz >"$scratch/in-checkout"
files "$installed/tunewiz" >"$scratch/in-wheel"
diff -u "$scratch/in-checkout" "$scratch/in-wheel" || {
    echo "wheel: it does not hold the files of the package (- missing, + too many)" >&2
    exit 1
}
for file in man/man1/tunewiz.1 bash-completion/completions/tunewiz zsh/site-functions/_tunewiz \
    fish/vendor_completions.d/tunewiz.fish; do
    if [ ! -s "$scratch/venv/share/$file" ]; then
        echo "wheel: it does not install share/$file" >&2
        exit 1
    fi
done
for name in screens profiles tests; do
    if [ -e "$installed/$name" ]; then
        echo "wheel: it installs $name as a package of its own" >&2
        exit 1
    fi
done

# Elsewhere, with a home of its own and without a variable that could lead back to the checkout.
mkdir "$scratch/elsewhere" "$scratch/home"
cd "$scratch/elsewhere"
run() {
    echo "wheel: tunewiz $*"
    status=0
    env -i PATH=/usr/bin:/bin HOME="$scratch/home" LC_ALL=C.UTF-8 "$scratch/venv/bin/tunewiz" "$@" \
        >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    if [ "$status" -ne 0 ] || [ ! -s "$scratch/out" ]; then
        echo "wheel: tunewiz $* exited with $status and printed $(wc -c <"$scratch/out") bytes" >&2
        cat "$scratch/err" >&2
        exit 1
    fi
}
run --version
run demo
run facts
cp "$scratch/out" facts.json
run plan
run plan --facts facts.json --json
run explain

# The walk is made of tests, which stand in the checkout; what they run does not see it (tests/support/installed_program.py).
cd "$checkout"
TUNEWIZ_PROGRAM=$scratch/venv/bin/tunewiz
export TUNEWIZ_PROGRAM
status=0
.venv/bin/pytest -q -n "${WORKERS:-2}" tests/installed || status=$?
if [ "$status" -eq 1 ] && [ -n "${CI:-}" ]; then
    status=0
    .ci/once_more.sh tests/installed || status=1
fi
exit "$status"
