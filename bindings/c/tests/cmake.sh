#!/usr/bin/env bash
# Installs the library with CMake into FOLDER, moves it, and builds a program outside against it.
# Prints what the program prints, first with the shared library, then with the static one.
# Usage: tests/cmake.sh FOLDER
set -euo pipefail
folder=$(realpath -m "$1")
cd "$(dirname "$0")/.."
rm -rf "$folder"
{
    cmake -S . -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr/local
    cmake --build "$folder/build"
    # Packages are built in a folder that is not the one they are installed in.
    DESTDIR=$folder/staged cmake --install "$folder/build"
    mv "$folder/staged/usr/local" "$folder/prefix"
    cmake -S tests/cmake -B "$folder/consumer" -DCMAKE_PREFIX_PATH="$folder/prefix"
    cmake --build "$folder/consumer"
} >&2
"$folder/consumer/node_hashlanes"
"$folder/consumer/node_hashlanes_static"
