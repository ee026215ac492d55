# shellcheck shell=bash
# Sourced by the scripts beside it: programs from crates.io.

# tool NAME VERSION cargo install's arguments...: what this machine lacks is built once, into the target folder, and nothing of
# the machine's own changes.
tool() {
    local folder
    folder=$(realpath -m "${CARGO_TARGET_DIR:-target}/tools")
    # What the user has comes first.
    PATH=$PATH:$folder/bin
    if command -v "$1" > /dev/null; then return; fi
    echo "building $1 $2"
    # They run for seconds: optimising them would take longer. What was built for it is of no further use.
    CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=$folder/build \
        cargo install -q --locked --debug --no-track --root "$folder" "$1@$2" "${@:3}"
    rm -rf "$folder/build"
}
