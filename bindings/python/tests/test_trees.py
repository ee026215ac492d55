"""Roots and proofs agree with remerkleable, pymerkle and Bitcoin's blocks."""

import copy
import hashlib
import random

import pymerkle
import pytest
import remerkleable.tree
from remerkleable.basic import uint64
from remerkleable.byte_arrays import ByteList, Bytes32
from remerkleable.complex import List, Vector

import hashlanes
from hashlanes import MerkleTree, merkle_root, rfc6962_leaves, verify_proof

FAMILIES = ["ssz", "bitcoin", "rfc6962"]


def chunks_of(count):
    return random.Random(count).randbytes(32 * count)


def pieces(buffer):
    return [buffer[i : i + 32] for i in range(0, len(buffer), 32)]


@pytest.mark.parametrize("count", [1, 2, 3, 31, 32, 33, 1000])
def test_ssz_roots_agree_with_remerkleable(count):
    chunks = chunks_of(count)
    vector = Vector[Bytes32, count](pieces(chunks))
    assert merkle_root(chunks) == vector.hash_tree_root()
    for limit in [count, count + 1, 2**20, 2**40]:
        values = List[Bytes32, limit](pieces(chunks))
        contents = merkle_root(chunks, limit)
        # A list's root is the hash of its contents' root and its length.
        root = hashlanes.sha256_pairs(contents + count.to_bytes(32, "little"))
        assert root == values.hash_tree_root()


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 101])
def test_ssz_pads_the_last_chunk(count):
    values = List[uint64, 1024](list(range(count)))
    contents = merkle_root(values.encode_bytes(), 1024 * 8 // 32)
    root = hashlanes.sha256_pairs(contents + count.to_bytes(32, "little"))
    assert root == values.hash_tree_root()
    assert MerkleTree(values.encode_bytes(), 256).root == contents
    assert len(MerkleTree(values.encode_bytes(), 256)) == -(-count // 4)


def test_ssz_limits():
    assert merkle_root(b"", 2) == hashlib.sha256(bytes(64)).digest()
    assert merkle_root(b"") == bytes(32)
    assert merkle_root(b"", 2**63) == remerkleable.tree.zero_node(63).root
    for arguments in [(bytes(33), 1), (b"", 2**63 + 1)]:
        for function in [merkle_root, MerkleTree]:
            with pytest.raises(ValueError):
                function(*arguments)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 64, 100])
def test_rfc6962_agrees_with_pymerkle(count):
    entries = [random.Random(i).randbytes(i) for i in range(count)]
    oracle = pymerkle.InmemoryTree(algorithm="sha256")
    for entry in entries:
        oracle.append_entry(entry)
    leaves = rfc6962_leaves(entries)
    tree = MerkleTree(leaves, family="rfc6962")
    assert pieces(leaves) == [oracle.get_leaf(i + 1) for i in range(count)]
    assert tree.root == merkle_root(leaves, family="rfc6962") == oracle.get_root()
    for index in range(count):
        path = oracle.prove_inclusion(index + 1).path
        # pymerkle's path begins with the leaf.
        assert tree.prove(index) == path[1:]


def test_bitcoin_roots_are_those_of_blocks():
    # Block 170, the first with a payment.
    ids = [
        "b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082",
        "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16",
    ]
    leaves = b"".join(bytes.fromhex(txid)[::-1] for txid in ids)
    root = "7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff"
    assert merkle_root(leaves, family="bitcoin")[::-1].hex() == root
    # The last of an odd number is hashed with itself.
    three = leaves + leaves[:32]
    assert merkle_root(three, family="bitcoin") == merkle_root(
        three + leaves[:32], family="bitcoin"
    )


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("count", [1, 2, 3, 21, 64])
def test_proofs_are_accepted_only_for_their_leaf(family, count):
    leaves = chunks_of(count)
    tree = MerkleTree(leaves, family=family)
    assert len(tree) == count
    for index, leaf in enumerate(pieces(leaves)):
        proof = tree.prove(index)
        verify_proof(tree.root, count, index, leaf, proof, family=family)
        verify_proof(
            bytearray(tree.root), count, index, memoryview(leaf), iter(proof), family=family
        )
        for wrong in [
            (bytes(32), count, index, leaf, proof),
            (tree.root, count, index, bytes(32), proof),
            (tree.root, count, count, leaf, proof),
            (tree.root, count, index, leaf, [*proof, bytes(32)]),
            (tree.root, count, index, leaf, [*proof[:-1], bytes(32)]),
        ]:
            with pytest.raises(ValueError):
                verify_proof(*wrong, family=family)
    with pytest.raises(IndexError, match=str(count)):
        tree.prove(count)


def test_proofs_in_lists_reach_up_to_the_limit():
    values = List[Bytes32, 2**10](pieces(chunks_of(5)))
    tree = MerkleTree(chunks_of(5), 2**10)
    proof = tree.prove(4)
    assert len(proof) == 10
    verify_proof(tree.root, 5, 4, chunks_of(5)[-32:], proof, 2**10)
    assert tree.root == values.get_backing().get_left().merkle_root()


@pytest.mark.parametrize("family", FAMILIES)
def test_wrong_arguments_are_refused(family):
    with pytest.raises(ValueError, match="31 bytes, not 32"):
        verify_proof(bytes(31), 1, 0, bytes(32), [], family=family)
    with pytest.raises(ValueError, match="node 1 has 5 bytes"):
        verify_proof(bytes(32), 1, 0, bytes(32), [bytes(32), bytes(5)], family=family)
    with pytest.raises(TypeError, match="node 0: "):
        verify_proof(bytes(32), 1, 0, bytes(32), [None], family=family)
    if family != "ssz":
        with pytest.raises(ValueError, match="limit"):
            merkle_root(b"", 4, family=family)
        with pytest.raises(ValueError, match="33 bytes"):
            merkle_root(bytes(33), family=family)


def test_unknown_families_are_refused():
    with pytest.raises(ValueError, match='"rfc6962"'):
        merkle_root(b"", family="sha3")
    with pytest.raises(TypeError, match="entry 0: "):
        rfc6962_leaves([1])


def test_trees_are_equal_if_their_leaves_are():
    leaves = chunks_of(5)
    tree = MerkleTree(leaves, 8)
    assert tree == MerkleTree(bytearray(leaves), 8) and not tree != MerkleTree(leaves, 8)
    assert hash(tree) == hash(MerkleTree(leaves, 8))
    others = [
        # The same root, from zeros that are leaves and zeros that are not.
        MerkleTree(leaves + bytes(32), 8),
        MerkleTree(leaves),
        MerkleTree(leaves, 16),
        MerkleTree(leaves, family="rfc6962"),
        MerkleTree(leaves, family="bitcoin"),
        MerkleTree(leaves + leaves[-32:], family="bitcoin"),
        MerkleTree(leaves[:-1] + b"x", 8),
        MerkleTree(b""),
        leaves,
        None,
    ]
    assert others[0].root == others[1].root == tree.root
    assert others[4].root == others[5].root
    for i, other in enumerate([tree, *others]):
        for k, another in enumerate([tree, *others]):
            assert (other == another) == (i == k)
    assert len({tree, MerkleTree(leaves, 8), others[1]}) == 2
    with pytest.raises(TypeError):
        tree < others[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_copies_of_trees_prove_the_same(family):
    tree = MerkleTree(chunks_of(7), family=family)
    for other in [copy.copy(tree), copy.deepcopy(tree), copy.deepcopy([tree])[0]]:
        assert other == tree and other.prove(3) == tree.prove(3)


def test_trees_describe_themselves():
    tree = MerkleTree(b"", 4)
    assert (tree.family, tree.limit, MerkleTree(b"").limit) == ("ssz", 4, None)
    assert repr(tree) == f"<hashlanes.MerkleTree: ssz, limit 4, 0 leaves, root {tree.root.hex()}>"
    tree = MerkleTree(bytes(32), family="bitcoin")
    assert repr(tree) == f"<hashlanes.MerkleTree: bitcoin, 1 leaf, root {'00' * 32}>"
    for name in ["family", "limit", "root", "new"]:
        with pytest.raises(AttributeError):
            setattr(tree, name, "ssz")
