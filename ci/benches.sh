#!/usr/bin/env bash
# Every bench is built and run once; nothing is measured. The rivals that are written in C are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo bench -p hashlanes-benches --benches -- --test
