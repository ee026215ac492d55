"""The examples do what they say."""

import hashlib
import random

from examples.level_hash import merkle_root
from examples.torrent_pieces import bad_pieces
from remerkleable.basic import uint64
from remerkleable.complex import Container, List


class State(Container):
    slot: uint64
    balances: List[uint64, 2**40]
    others: List[uint64, 100]


def test_level_hash_agrees_with_remerkleable():
    state = State(slot=1, balances=list(range(1000)), others=list(range(5)))
    expected = State(slot=1, balances=list(range(1000)), others=list(range(5))).hash_tree_root()
    assert merkle_root(state.get_backing()) == expected
    # Only the changed nodes are hashed again.
    state.balances[7] = 3
    changed = State(slot=1, balances=[*range(7), 3, *range(8, 1000)], others=list(range(5)))
    assert merkle_root(state.get_backing()) == changed.hash_tree_root()
    assert merkle_root(uint64(5).get_backing()) == uint64(5).hash_tree_root()


def torrent_of(data, length):
    pieces = [data[i : i + length] for i in range(0, len(data), length)]
    digests = b"".join(hashlib.sha1(piece).digest() for piece in pieces)
    return b"d4:infod4:name1:x12:piece lengthi%de6:pieces%d:%seee" % (length, len(digests), digests)


def test_torrent_pieces_finds_damage(tmp_path):
    data = bytearray(random.Random(0).randbytes(100_000))
    torrent = torrent_of(data, 16384)
    path = tmp_path / "x"
    path.write_bytes(data)
    assert bad_pieces(torrent, path) == []
    data[20_000] ^= 1
    path.write_bytes(data)
    assert bad_pieces(torrent, path) == [1]
    path.write_bytes(data[:90_000])
    assert bad_pieces(torrent, path) == [1, 5, 6]
    path.write_bytes(data + bytes(20_000))
    assert bad_pieces(torrent, path) == [1, 6, 7]
