"""Calls from several threads at once give the digests of calls one after another."""

import hashlib
import random
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor

import pytest

import hashlanes

IS_FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.mark.skipif(not IS_FREE_THREADED, reason="this Python has a GIL")
def test_importing_the_module_leaves_the_gil_off():
    assert not sys._is_gil_enabled()


def test_threads_hash_side_by_side():
    messages = [random.Random(i).randbytes(i) for i in range(300)]
    expected = [hashlib.sha256(message).digest() for message in messages]
    leaves = b"".join(expected)
    tree = hashlanes.MerkleTree(leaves)
    # All threads use one list, one buffer that nobody changes, and one tree.
    shared = bytearray(leaves)

    def work(i):
        assert hashlanes.sha256_many(messages) == expected
        assert hashlanes.merkle_root(shared) == tree.root
        assert hashlanes.MerkleTree(shared) == tree
        hashlanes.verify_proof(tree.root, len(tree), i, expected[i], tree.prove(i))
        return i

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(100))) == list(range(100))


def test_a_list_that_other_threads_change_gives_digests_of_its_messages():
    messages = [b"a"] * 1000
    known = {hashlib.sha256(text).digest() for text in (b"a", b"b")}

    def change(_):
        for _ in range(200):
            messages.append(b"b")
            messages.pop(0)

    def work(_):
        for _ in range(20):
            assert set(hashlanes.sha256_many(messages)) <= known

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(body, 0) for body in (change, work, change, work)]
        assert all(future.result() is None for future in futures)
