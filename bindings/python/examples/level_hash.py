"""Computes the root of a remerkleable object a level at a time.

remerkleable calls hashlib for each pair of nodes. This collects the pairs that have no root yet,
and hashes all of a level in one call.
"""

import time

from remerkleable.basic import uint64
from remerkleable.complex import List
from remerkleable.tree import Node, PairNode

import hashlanes


def merkle_root(root: Node) -> bytes:
    """The same as `root.merkle_root()`; all nodes then know their root."""
    levels: list[list[Node]] = []
    level = [root] if type(root) is PairNode and root._root is None else []
    while level:
        levels.append(level)
        # By identity, because subtrees may be shared.
        below = {
            id(child): child
            for node in level
            for child in (node.left, node.right)
            if type(child) is PairNode and child._root is None
        }
        level = list(below.values())
    while levels:
        level = levels.pop()
        pairs = [node.left.merkle_root() + node.right.merkle_root() for node in level]
        for node, digest in zip(level, hashlanes.sha256_many(pairs)):
            node._root = digest
    return root.merkle_root()


def main() -> None:
    balances = List[uint64, 2**40]
    values = list(range(200_000))
    ours, theirs = balances(values).get_backing(), balances(values).get_backing()
    begin = time.perf_counter()
    root = merkle_root(ours)
    middle = time.perf_counter()
    assert theirs.merkle_root() == root
    end = time.perf_counter()
    print(f"0x{root.hex()}")
    print(f"a level at a time: {middle - begin:.3f} s; remerkleable: {end - middle:.3f} s")


if __name__ == "__main__":
    main()
