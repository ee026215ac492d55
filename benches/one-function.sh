#!/usr/bin/env bash
# Prints what a program that uses one function of a crate costs: the CPU time of compiling it with
# all its dependencies in cargo's release profile, and the bytes of its machine code. Below each of
# our crates is the crate for one message. The first row is a program that does nothing.
#
#     benches/one-function.sh [PATTERN]
#
# PATTERN is a regular expression; only rows whose name matches it are measured. The programs are
# built in a temporary folder, with the versions of this workspace's Cargo.lock.
set -euo pipefail

pattern=${1:-}
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cp "$here/Cargo.lock" .

# The version of a package that Cargo.lock has; of several, the last.
version() {
    grep -A1 "^name = \"$1\"$" "$here/Cargo.lock" | sed -n 's/^version = "\(.*\)"/\1/p' | tail -1
}

# row NAME DEPENDENCY STATEMENTS: the last expression of the statements is bytes to print.
row() {
    [[ $1 =~ $pattern ]] || return 0
    cat > Cargo.toml << END
[package]
name = "program"
edition = "2024"
[dependencies]
$2
[profile.release]
strip = true
[workspace]
END
    # The arguments are only known at run time, so nothing is computed by the compiler.
    cat > src/main.rs << END
fn main() {
    let messages: Vec<String> = std::env::args().collect();
    let bytes = { $3 };
    println!("{bytes:?}");
}
END
    rm -rf target
    cargo fetch -q
    local times seconds text
    times=$({ TIMEFORMAT='%U %S'; time CARGO_TARGET_DIR=target \
        cargo build -q --release --offline 2> errors; } 2>&1) || {
        cat errors >&2
        exit 1
    }
    seconds=$(awk '{ printf "%.1f", $1 + $2 }' <<< "$times")
    text=$(size -A -d target/release/program | awk '$1 == ".text" { print $2 }')
    echo "| $1 | $seconds s | $text |"
}

ours() {
    echo "$1 = { path = \"$here/${2:-$1}\", default-features = false, features = [\"std\"] }"
}
theirs() {
    echo "$1 = \"=$(version "$1")\""
}

echo "| program | CPU time | bytes of code |"
echo "|---|---|---|"
row "nothing" "" 'messages[0].as_bytes()'
row "\`sha256_multi::hash_many\`" "$(ours sha256-multi)" 'sha256_multi::hash_many(&messages)'
row "\`sha2::Sha256::digest\` $(version sha2)" "$(theirs sha2)" \
    'use sha2::Digest; sha2::Sha256::digest(&messages[0])'
row "\`sha512_multi::hash_many\`" "$(ours sha512-multi)" 'sha512_multi::hash_many(&messages)'
row "\`sha2::Sha512::digest\` $(version sha2)" "$(theirs sha2)" \
    'use sha2::Digest; sha2::Sha512::digest(&messages[0])'
row "\`sha1_multi::hash_many\`" "$(ours sha1-multi)" 'sha1_multi::hash_many(&messages)'
row "\`sha1::Sha1::digest\` $(version sha1)" "$(theirs sha1)" \
    'use sha1::Digest; sha1::Sha1::digest(&messages[0])'
row "\`ripemd_multi::hash_many\`" "$(ours ripemd-multi)" 'ripemd_multi::hash_many(&messages)'
row "\`ripemd::Ripemd160::digest\` $(version ripemd)" "$(theirs ripemd)" \
    'use ripemd::Digest; ripemd::Ripemd160::digest(&messages[0])'
row "\`sha3_multi::keccak256::hash_many\`" "$(ours sha3-multi)" \
    'sha3_multi::keccak256::hash_many(&messages)'
row "\`sha3::Keccak256::digest\` $(version sha3)" "$(theirs sha3)" \
    'use sha3::Digest; sha3::Keccak256::digest(&messages[0])'
row "\`slh_dsa_multi::SigningKey::sign\`" "$(ours slh-dsa-multi)" '
    use slh_dsa_multi::signature::Signer;
    let key = slh_dsa_multi::SigningKey::<slh_dsa_multi::Sha2_128f>::from_seeds(
        &[1; 16], &[2; 16], &[3; 16]).unwrap();
    key.sign(messages[0].as_bytes()).as_ref().to_vec()'
row "\`slh_dsa::SigningKey::sign\` $(version slh-dsa)" "$(theirs slh-dsa)" '
    use slh_dsa::signature::Signer;
    let key = slh_dsa::SigningKey::<slh_dsa::Sha2_128f>::slh_keygen_internal(
        &[1; 16], &[2; 16], &[3; 16]);
    key.sign(messages[0].as_bytes()).to_bytes()'
