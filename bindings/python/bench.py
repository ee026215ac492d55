"""Prints the speed of hashlanes beside that of hashlib, remerkleable and ssz, on one core.

Each figure is the best of several rounds of CPU time, in nanoseconds per message. The functions of
a row take turns, so that other programs disturb all alike.
"""

import hashlib
import importlib.metadata
import platform
import random
import ssl
import time

from remerkleable.basic import uint64
from remerkleable.complex import List
from ssz.sedes import List as PySszList
from ssz.sedes import uint64 as py_ssz_uint64

import hashlanes
from examples.level_hash import merkle_root

COUNT = 10_000
ROUNDS = 20


def nanoseconds(count, *functions, prepare=lambda: (), rounds=ROUNDS):
    """The time per message of each `function(*prepare())`, which handles `count` messages."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            arguments = prepare()
            begin = time.process_time_ns()
            function(*arguments)
            best[i] = min(best[i], time.process_time_ns() - begin)
    return [time / count for time in best]


def row(name, theirs, ours):
    print(f"| {name} | {theirs:.1f} | {ours:.1f} | {theirs / ours:.1f}x |")


def hashes(name, hash_one, hash_many, length):
    """Compares a loop over messages with lists and with one buffer."""
    buffer = random.Random(0).randbytes(COUNT * length)
    messages = [buffer[i : i + length] for i in range(0, len(buffer), length)]
    assert [hash_one(message) for message in messages] == hash_many(messages)
    loop, of_list, of_buffer = nanoseconds(
        COUNT,
        lambda: [hash_one(message) for message in messages],
        lambda: hash_many(messages),
        lambda: hash_many(buffer, length),
    )
    row(f"{name}, {length} bytes, list", loop, of_list)
    row(f"{name}, {length} bytes, buffer", loop, of_buffer)


def hash160(message):
    return hashlib.new("ripemd160", hashlib.sha256(message).digest()).digest()


def main():
    packages = ["hashlanes", "remerkleable", "ssz"]
    versions = [f"{name} {importlib.metadata.version(name)}" for name in packages]
    print(f"Python {platform.python_version()}, {ssl.OPENSSL_VERSION}, {', '.join(versions)}")
    print(f"kernels: {hashlanes.backend()}\n")

    print("| ns per message | hashlib | hashlanes | gain |\n|---|---|---|---|")
    for length in [32, 64, 1000]:
        one = lambda message: hashlib.sha256(message).digest()
        hashes("SHA-256", one, hashlanes.sha256_many, length)
    nodes = random.Random(0).randbytes(COUNT * 64)
    pairs = [nodes[i : i + 64] for i in range(0, len(nodes), 64)]
    loop = lambda: b"".join([hashlib.sha256(pair).digest() for pair in pairs])
    row("sha256_pairs", *nanoseconds(COUNT, loop, lambda: hashlanes.sha256_pairs(nodes)))
    hashes("SHA-1", lambda message: hashlib.sha1(message).digest(), hashlanes.sha1_many, 1000)
    hashes("SHA-512", lambda message: hashlib.sha512(message).digest(), hashlanes.sha512_many, 64)
    # Keccak-256 differs only in its padding.
    one = lambda message: hashlib.sha3_256(message).digest()
    hashes("SHA3-256", one, hashlanes.sha3_256_many, 64)
    if "ripemd160" in hashlib.algorithms_available:
        hashes("HASH160", hash160, hashlanes.hash160_many, 33)

    print("\n| ns per chunk | other | hashlanes | gain |\n|---|---|---|---|")
    values = list(range(4 * COUNT))
    balances = List[uint64, 2**40]
    backing = lambda: (balances(values).get_backing(),)
    # Making the objects takes most of the time.
    times = nanoseconds(
        COUNT, lambda node: node.merkle_root(), merkle_root, prepare=backing, rounds=5
    )
    row("remerkleable's root, and a level at a time", *times)
    chunks = balances(values).encode_bytes()
    sedes = PySszList(py_ssz_uint64, 2**40)
    remerkleable, (ssz_root, ours) = times[0], nanoseconds(
        COUNT,
        lambda: sedes.get_hash_tree_root(values),
        lambda: hashlanes.merkle_root(chunks, 2**38),
        rounds=5,
    )
    row("remerkleable's root, and merkle_root", remerkleable, ours)
    row("ssz's root, and merkle_root", ssz_root, ours)


if __name__ == "__main__":
    main()
