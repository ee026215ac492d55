#!/usr/bin/env python3
"""Compares torrent-check with libtorrent and with an independent checker on random damages.

Each case is a folder of random files, a torrent of it that libtorrent creates (v1, v2 or hybrid)
and up to three damages: bits flipped, ranges zeroed, files truncated, extended, removed, swapped
or replaced by a folder. Then the pieces that torrent-check calls good are compared with those of
libtorrent's recheck. The checker in this file uses only hashlib. It also tells bad pieces from
missing and unverifiable ones, and judges the files.

Fails if torrent-check differs from the checker. Prints the cases in which libtorrent differs, with
its error: it ends the recheck at a folder in the place of a file.

Needs libtorrent's Python binding (pip install libtorrent).

    cargo build --release -p torrent-check
    python3 benches/torrent-damages.py target/release/torrent-check
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import libtorrent

KINDS = {
    "v1": libtorrent.create_torrent.v1_only,
    "v2": libtorrent.create_torrent.v2_only,
    "hybrid": 0,
}
BLOCK = 16 << 10


def make(random, folder, kind):
    """Creates a folder of files, and returns the bytes of its torrent."""
    content = folder / "content"
    for index in range(random.randint(1, 12)):
        path = content / random.choice(["", "a", "b", "b/c"]) / f"{index:02}"
        path.parent.mkdir(parents=True, exist_ok=True)
        length = random.choice([0, 5, 1000, BLOCK, 2 * BLOCK, random.randrange(200_000)])
        path.write_bytes(random.randbytes(length))
    # A torrent needs a byte.
    (content / "last").write_bytes(random.randbytes(random.randrange(1, 50_000)))
    files = libtorrent.list_files(str(content))
    piece_bytes = BLOCK << random.randrange(3)
    creator = libtorrent.create_torrent(files, piece_bytes, KINDS[kind])
    libtorrent.set_piece_hashes(creator, str(folder))
    return libtorrent.bencode(creator.generate())


def damage(random, content):
    """Changes a file, and returns what was done."""
    files = sorted(path for path in content.rglob("*") if path.is_file())
    if not files:
        return "nothing"
    path = random.choice(files)
    data = bytearray(path.read_bytes())
    place = random.randrange(len(data) + 1)
    what = random.choice(
        ["flipped", "zeroed", "truncated", "extended", "removed", "swapped", "folder"]
    )
    if what == "flipped" and place < len(data):
        data[place] ^= 1 << random.randrange(8)
    elif what == "zeroed":
        end = min(len(data), place + random.randrange(40_000))
        data[place:end] = bytes(end - place)
    elif what == "truncated":
        del data[place:]
    elif what == "extended":
        data += random.randbytes(random.randrange(1, 40_000))
    path.write_bytes(data)
    if what == "removed":
        path.unlink()
    elif what == "swapped":
        other = random.choice(files)
        data = other.read_bytes()
        other.write_bytes(path.read_bytes())
        path.write_bytes(data)
    elif what == "folder":
        path.unlink()
        path.mkdir()
    return what


def decode(data, at=0):
    """Reads a value of bencode, and returns it with the position after it."""
    if data[at:at + 1] == b"i":
        end = data.index(b"e", at)
        return int(data[at + 1:end]), end + 1
    if data[at:at + 1] in (b"l", b"d"):
        values, is_list, at = [], data[at:at + 1] == b"l", at + 1
        while data[at:at + 1] != b"e":
            value, at = decode(data, at)
            values.append(value)
        return values if is_list else dict(zip(values[::2], values[1::2])), at + 1
    colon = data.index(b":", at)
    end = colon + 1 + int(data[at:colon])
    return data[colon + 1:end], end


def tree_files(tree, path=()):
    """Yields path, length and root of each file of a v2 file tree."""
    for name, entry in sorted(tree.items()):
        if b"" in entry:
            yield path + (name,), entry[b""][b"length"], entry[b""].get(b"pieces root")
        else:
            yield from tree_files(entry, path + (name,))


def merkle_root(leaves):
    """The root above a power of two of leaves."""
    while len(leaves) > 1:
        pairs = zip(leaves[::2], leaves[1::2])
        leaves = [hashlib.sha256(left + right).digest() for left, right in pairs]
    return leaves[0]


# What is known of a byte: it can be read, it is padding, nothing is there, or a folder is.
THERE, PAD, NONE, FOLDER = b"TPNF"


def read(content, path, length):
    """The bytes of a file, what is known of them, and its length, which is None without a file."""
    place = content.joinpath(*(os.fsdecode(name) for name in path))
    if not place.is_file():
        return bytes(length), bytes([FOLDER if place.is_dir() else NONE]) * length, None
    found = place.stat().st_size
    known = bytes([THERE]) * min(found, length)
    data = place.read_bytes()[:length].ljust(length, b"\0")
    return data, known.ljust(length, bytes([NONE])), found


class Checker:
    """The verdict on each piece and each file, by README.md of torrent-check."""

    def __init__(self, torrent, content):
        self.content = content
        torrent, _ = decode(torrent)
        self.info = torrent[b"info"]
        self.layers = torrent.get(b"piece layers", {})
        self.piece_bytes = self.info[b"piece length"]
        # The verdicts on the pieces, and the pieces of each file that is not padding.
        self.pieces, self.files = [], []
        if b"pieces" in self.info:
            self.check_v1()
        if b"file tree" in self.info:
            self.check_v2()

    def check_v1(self):
        data, known = bytearray(), bytearray()
        for file in self.info[b"files"]:
            length = file[b"length"]
            if b"p" in file.get(b"attr", b""):
                data += bytes(length)
                known += bytes([PAD]) * length
                continue
            begin = len(data)
            own, of_own, _ = read(self.content, file[b"path"], length)
            data += own
            known += of_own
            pieces = range(begin // self.piece_bytes, -(-len(data) // self.piece_bytes))
            self.files.append((file[b"path"], length, pieces if length else range(0)))
        for index, begin in enumerate(range(0, len(data), self.piece_bytes)):
            end = begin + self.piece_bytes
            right = hashlib.sha1(data[begin:end]).digest()
            is_right = right == self.info[b"pieces"][20 * index:20 * index + 20]
            self.pieces.append(self.verdict(known[begin:end], is_right))

    def check_v2(self):
        is_hybrid = bool(self.pieces)
        for number, (path, length, root) in enumerate(tree_files(self.info[b"file tree"])):
            data, known, _ = read(self.content, path, length)
            count = -(-length // self.piece_bytes)
            found = []
            for index in range(count):
                begin, end = index * self.piece_bytes, min(length, (index + 1) * self.piece_bytes)
                blocks = [data[at:min(end, at + BLOCK)] for at in range(begin, end, BLOCK)]
                leaves = [hashlib.sha256(block).digest() for block in blocks]
                # A file of one piece is a tree of its own.
                needed, expected = 1 << (len(leaves) - 1).bit_length(), root
                if count > 1:
                    needed = self.piece_bytes // BLOCK
                    expected = self.layers[root][32 * index:32 * index + 32]
                leaves += [bytes(32)] * (needed - len(leaves))
                is_right = merkle_root(leaves) == expected
                found.append(self.verdict(known[begin:end], is_right))
            if is_hybrid:
                # Both hashes cover the same bytes.
                first = self.files[number][2].start
                assert self.pieces[first:first + count] == found, "v1 and v2 differ"
            else:
                pieces = range(len(self.pieces), len(self.pieces) + count)
                self.pieces += found
                self.files.append((path, length, pieces))

    @staticmethod
    def verdict(known, is_right):
        if not {NONE, FOLDER} & set(known):
            return "good" if is_right else "bad"
        return "unverifiable" if {THERE, FOLDER} & set(known) else "missing"

    def file_verdicts(self):
        for path, length, pieces in self.files:
            _, _, found = read(self.content, path, length)
            verdicts = {self.pieces[piece] for piece in pieces}
            place = self.content.joinpath(*(os.fsdecode(name) for name in path))
            if found is None:
                yield "not_a_file" if place.is_dir() else "missing"
            elif found != length:
                yield "too_short" if found < length else "too_long"
            else:
                yield next((v for v in ("bad", "unverifiable") if v in verdicts), "good")


def by_torrent_check(program, torrent, folder):
    """The verdicts on pieces and on files, and whether the content is complete."""
    command = [program, "--json", torrent, folder]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    report = json.loads(output)
    total = report["pieces"]["total"]
    bits = f"{int(report['good_pieces'] or '0', 16):0{4 * len(report['good_pieces'])}b}"[:total]
    pieces = ["good" if bit == "1" else "missing" for bit in bits]
    for piece in report["damaged_pieces"]:
        pieces[piece["piece"]] = piece["verdict"]
    return pieces, [file["verdict"] for file in report["files"]], report["complete"]


def by_libtorrent(session, torrent, folder):
    """Whether each piece is good, and the error that ended the recheck, if one did."""
    parameters = libtorrent.load_torrent_buffer(torrent)
    parameters.save_path = str(folder)
    flags = libtorrent.torrent_flags
    parameters.flags &= ~(flags.auto_managed | flags.paused)
    parameters.flags |= flags.stop_when_ready
    handle = session.add_torrent(parameters)
    states = libtorrent.torrent_status
    checking = (states.checking_files, states.checking_resume_data)
    while handle.status().state in checking and not handle.status().errc.value():
        time.sleep(0.002)
    status = handle.status()
    pieces = list(status.pieces) or [status.is_seeding] * parameters.ti.num_pieces()
    session.remove_torrent(handle)
    return pieces, status.errc.message() if status.errc.value() else None


def main():
    parser = argparse.ArgumentParser(description="Compares verdicts on random damages.")
    parser.add_argument("torrent_check", help="path of the torrent-check program")
    parser.add_argument("--cases", type=int, default=500, help="number of damaged folders")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first case")
    options = parser.parse_args()
    program = os.path.abspath(options.torrent_check)
    session = libtorrent.session({
        "enable_dht": False, "enable_lsd": False, "enable_upnp": False, "enable_natpmp": False,
        "listen_interfaces": "", "alert_mask": 0,
    })
    done, verdicts = collections.Counter(), collections.Counter()
    others = []
    for seed in range(options.seed, options.seed + options.cases):
        source = random.Random(seed)
        kind = list(KINDS)[seed % len(KINDS)]
        folder = pathlib.Path(tempfile.mkdtemp())
        torrent = make(source, folder, kind)
        (folder / "it.torrent").write_bytes(torrent)
        what = [damage(source, folder / "content") for _ in range(source.randint(1, 3))]
        checker = Checker(torrent, folder / "content")
        expected = checker.pieces, list(checker.file_verdicts())
        pieces, files, is_complete = by_torrent_check(program, folder / "it.torrent", folder)
        if (pieces, files) != expected:
            sys.exit(f"seed {seed}, {kind}, {what}: torrent-check says {pieces} {files}, "
                     f"the checker {expected}, in {folder}")
        if is_complete != (set(files) == {"good"}):
            sys.exit(f"seed {seed}, {kind}, {what}: torrent-check says {is_complete}, {folder}")
        theirs, error = by_libtorrent(session, torrent, folder)
        if theirs != [piece == "good" for piece in pieces]:
            count = sum(one != (other == "good") for one, other in zip(theirs, pieces))
            others.append(f"seed {seed}, {kind}, {what}: {count} of {len(pieces)} pieces, {error}")
        done.update([kind])
        done.update(what)
        verdicts.update(pieces)
        shutil.rmtree(folder)
    print(f"{options.cases} cases: {dict(done)}")
    print(f"pieces: {dict(verdicts)}; torrent-check agrees with the checker on all")
    print(f"libtorrent {libtorrent.__version__} differs in {len(others)} cases")
    print("\n".join(others))


if __name__ == "__main__":
    main()
