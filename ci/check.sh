#!/usr/bin/env bash
# For every edit: format, clippy and tests.
cd "$(dirname "$0")/.." && exec cargo xtask check
