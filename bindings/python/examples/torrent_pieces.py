"""Verifies the pieces of a torrent with one file."""

import argparse
import sys
from pathlib import Path

import hashlanes

# The number of bytes read at once.
PART = 1 << 26


def decode(data: bytes, at: int = 0):
    """Decodes a bencoded value; returns it and the position after it."""
    kind = data[at : at + 1]
    if kind == b"i":
        end = data.index(b"e", at)
        return int(data[at + 1 : end]), end + 1
    if kind in (b"l", b"d"):
        items, at = [], at + 1
        while data[at : at + 1] != b"e":
            item, at = decode(data, at)
            items.append(item)
        return (items if kind == b"l" else dict(zip(items[::2], items[1::2]))), at + 1
    colon = data.index(b":", at)
    end = colon + 1 + int(data[at:colon])
    return data[colon + 1 : end], end


def bad_pieces(torrent: bytes, path: Path) -> list[int]:
    """The indices of the pieces whose SHA-1 digest differs from the torrent's."""
    info = decode(torrent)[0][b"info"]
    if b"files" in info:
        raise ValueError("several files")
    expected, length = info[b"pieces"], info[b"piece length"]
    digests = b""
    with path.open("rb") as file:
        while part := file.read(max(PART // length, 16) * length):
            whole = len(part) // length * length
            digests += hashlanes.sha1_many(part[:whole], length)
            digests += b"".join(hashlanes.sha1_many([part[whole:]] if part[whole:] else []))
    count = max(len(expected), len(digests)) // 20
    return [i for i in range(count) if digests[20 * i :][:20] != expected[20 * i :][:20]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("torrent", type=Path)
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    try:
        bad = bad_pieces(arguments.torrent.read_bytes(), arguments.file)
    except OSError as error:
        parser.error(str(error))
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
        parser.error(f"{arguments.torrent} is not a torrent of version 1 with one file")
    for index in bad:
        print(f"piece {index} is damaged or missing")
    print(f"{len(bad)} bad pieces")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
