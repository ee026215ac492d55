"""Verifies the pieces of a single-file torrent: torrent_pieces.py FILE.torrent FILE"""

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
    torrent, path = map(Path, sys.argv[1:])
    bad = bad_pieces(torrent.read_bytes(), path)
    for index in bad:
        print(f"piece {index} is damaged or missing")
    print(f"{len(bad)} bad pieces")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
