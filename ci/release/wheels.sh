#!/usr/bin/env bash
# Builds the Python package's wheels for a target, and tries each in an empty environment:
#
#   ci/release/wheels.sh TARGET PYTHON [FREE-THREADED-PYTHON]    # into target/dist
#
# The first wheel has the stable ABI. A free-threaded Python needs a wheel of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=${1:?usage: ci/release/wheels.sh TARGET PYTHON [FREE-THREADED-PYTHON]}
python=${2:?the path of a Python is missing}
free=${3:-}
mkdir -p target/dist target/wheels
work=$PWD/target/wheels
dist=$PWD/target/dist
rm -rf "${work:?}"/*

# The path of a program in an environment.
in_environment() {
    if [ -d "$1/Scripts" ]; then echo "$1/Scripts/$2"; else echo "$1/bin/$2"; fi
}

"$python" -m venv "$work/build"
"$(in_environment "$work/build" python)" -m pip install -q "maturin[zig]==1.16.0"
maturin=$(in_environment "$work/build" maturin)
PATH=$(dirname "$maturin"):$PATH
options=(--release --locked --manifest-path bindings/python/Cargo.toml --target "$target")
case $target in
# Links against the C library of 2014, so that the wheel works on all Linux systems since.
*-linux-gnu) options+=(--zig --compatibility manylinux_2_17) ;;
esac
case $target in
universal2-apple-darwin) rustup target add x86_64-apple-darwin aarch64-apple-darwin ;;
*) rustup target add "$target" ;;
esac

for interpreter in "$python" ${free:+"$free"}; do
    out=$work/wheel
    rm -rf "$out"
    "$maturin" build "${options[@]}" --interpreter "$interpreter" --out "$out"
    rm -rf "$work/empty"
    "$interpreter" -m venv "$work/empty"
    empty=$(in_environment "$work/empty" python)
    "$empty" -m pip install -q "$out"/*.whl
    (
        cd "$work"
        "$empty" -c 'import hashlanes; print(hashlanes.__version__, hashlanes.backend())'
        # What needs no other package but those of the tests.
        "$empty" -m pip install -q pytest numpy pycryptodome
        "$empty" -m pytest -q -p no:cacheprovider ../../bindings/python/tests/test_hashes.py \
            ../../bindings/python/tests/test_hostile.py ../../bindings/python/tests/test_threads.py
    )
    cp "$out"/*.whl "$dist"
done
cd "$dist"
for wheel in *.whl; do
    if command -v sha256sum > /dev/null; then sha256sum "$wheel"; else shasum -a 256 "$wheel"; fi |
        sed 's/ \*/  /' > "$wheel.sha256"
done
ls
