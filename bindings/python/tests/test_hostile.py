"""Objects that lie about themselves raise an exception, and never end the interpreter."""

import hashlib
import itertools
import subprocess
import sys

import numpy
import pytest

import hashlanes

MANY = [
    hashlanes.sha256_many,
    hashlanes.sumhash512_many,
    hashlanes.rfc6962_leaves,
    lambda messages: hashlanes.hmac_sha256_many(messages, []),
    lambda messages: hashlanes.hmac_sha256_many([], messages),
    lambda messages: hashlanes.pbkdf2_sha256_many(messages, [], 1),
]


class Liar:
    """An iterable of these items that says it has another number of them."""

    def __init__(self, length, items=(b"a", b"b")):
        self.length, self.items = length, items

    def __len__(self):
        if isinstance(self.length, BaseException):
            raise self.length
        return self.length

    def __iter__(self):
        return iter(self.items)


def run(code, *, megabytes=None):
    """Runs code in another interpreter, which a fault could end, and returns what it prints."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20,) * 2)\n"
    code = "import hashlanes, itertools\n" + (limit if megabytes else "") + code
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("length", [10**9, 10**12, 2**62, sys.maxsize])
def test_a_false_length_reserves_nothing(length):
    members = "{'__len__': lambda s: %d, '__iter__': lambda s: iter([b'a'])}" % length
    class_ = f"type('Liar', (), {members})"
    code = f"print(hashlanes.sha256_many({class_}())[0].hex())"
    assert run(code) == hashlib.sha256(b"a").hexdigest()


def test_a_long_range_is_refused_at_its_first_item():
    code = (
        "for f in [hashlanes.sha256_many, hashlanes.sumhash512_many, hashlanes.rfc6962_leaves]:\n"
        "    try: f(range(10**12))\n"
        "    except TypeError as error: print(error)"
    )
    lines = run(code).splitlines()
    assert [line.split(": ")[0] for line in lines] == ["message 0", "message 0", "entry 0"]


@pytest.mark.skipif(sys.platform == "win32", reason="limits of memory are those of Unix")
@pytest.mark.parametrize("items", ["itertools.repeat(b'')", "iter(lambda: b'', None)"])
@pytest.mark.parametrize(
    "call",
    [
        "sha256_many(%s)",
        "hmac_sha256_many([], %s)",
        "rfc6962_leaves(%s)",
        "verify_proof(bytes(32), 1, 0, bytes(32), %s)",
    ],
)
def test_an_endless_iterator_raises_memory_error(items, call):
    code = f"try: hashlanes.{call % items}\nexcept MemoryError: print('refused')"
    assert run(code, megabytes=512) == "refused"


@pytest.mark.skipif(sys.platform == "win32", reason="limits of memory are those of Unix")
@pytest.mark.parametrize("megabytes", range(96, 512, 32))
def test_digests_without_room_raise_memory_error(megabytes):
    # Each limit ends in another place: digests take more room than messages.
    code = (
        "for call in [lambda: hashlanes.sha1_many(bytes(2**24), 1),\n"
        "             lambda: hashlanes.hash160_many([b''] * 2**22),\n"
        "             lambda: hashlanes.hmac_sha256_many([b''] * 2**21, [b''] * 2**21)]:\n"
        "    try: call()\n"
        "    except MemoryError: print('refused')"
    )
    refused = run(code, megabytes=megabytes).count("refused")
    assert refused == 3 or megabytes > 300


@pytest.mark.skipif(sys.platform == "win32", reason="limits of memory are those of Unix")
@pytest.mark.parametrize("family", ["ssz", "bitcoin", "rfc6962"])
@pytest.mark.parametrize("megabytes", range(96, 512, 16))
def test_trees_without_room_raise_memory_error(megabytes, family):
    # Each limit ends in another place: the leaves take 64 MB, and the tree another 128.
    code = (
        f"family = {family!r}\n"
        "try:\n"
        "    leaves = bytes(2**26 + (family == 'ssz'))\n"
        "    root = hashlanes.merkle_root(leaves, family=family)\n"
        "    print('hashed')\n"
        "    assert hashlanes.MerkleTree(leaves, family=family).root == root\n"
        "except MemoryError: print('refused')"
    )
    lines = run(code, megabytes=megabytes).splitlines()
    assert "refused" in lines if megabytes < 192 else "hashed" in lines
    assert "refused" not in lines or megabytes < 400


@pytest.mark.parametrize("length", [10**12, 2**62, sys.maxsize])
def test_proofs_and_entries_may_lie_about_their_length(length):
    assert hashlanes.rfc6962_leaves(Liar(length)) == hashlanes.rfc6962_leaves([b"a", b"b"])
    leaves = bytes(range(64))
    tree = hashlanes.MerkleTree(leaves)
    hashlanes.verify_proof(tree.root, 2, 0, leaves[:32], Liar(length, tree.prove(0)))
    with pytest.raises(ValueError, match="node 0 has 1 byte"):
        hashlanes.verify_proof(tree.root, 2, 0, leaves[:32], Liar(length))
    # A list of leaves is no buffer, whatever its length.
    for items in [Liar(length), itertools.repeat(bytes(32)), range(length)]:
        for call in [hashlanes.merkle_root, hashlanes.MerkleTree]:
            with pytest.raises(TypeError):
                call(items)


@pytest.mark.parametrize("length", [0, 1, 7])
def test_the_items_count_and_not_the_length(length):
    expected = [hashlib.sha256(text).digest() for text in (b"a", b"b")]
    assert hashlanes.sha256_many(Liar(length)) == expected


@pytest.mark.parametrize("length", [-1, ValueError("no length"), KeyboardInterrupt()])
def test_a_length_that_fails_is_not_asked_for(length):
    assert len(hashlanes.sha256_many(Liar(length))) == 2


@pytest.mark.parametrize("many", MANY)
def test_errors_of_iterators_reach_the_caller(many):
    def stops():
        yield b"a"
        raise RuntimeError("it breaks")

    with pytest.raises(RuntimeError, match="it breaks"):
        many(stops())
    with pytest.raises(TypeError):
        many(Liar(2, items=7))


def test_lists_and_buffers_may_shrink_during_a_call():
    class Shrinks:
        def __init__(self, items):
            self.items = items

        def __iter__(self):
            for item in list(self.items):
                self.items.clear()
                yield item

    buffers = [bytearray(b"a" * 100), bytearray(b"b" * 100)]
    expected = [hashlib.sha256(item).digest() for item in buffers]
    assert hashlanes.sha256_many(Shrinks(list(buffers))) == expected

    def shrinking():
        for buffer in buffers:
            yield buffer
            # It was copied: it can be resized, and nothing refers to its old bytes.
            del buffer[10:]

    assert hashlanes.sha256_many(shrinking()) == expected
    assert [len(buffer) for buffer in buffers] == [10, 10]

    messages = [b"a", b"b", b"c", b"d"]

    class Pops:
        """A list whose iterator removes items from it."""

        def __len__(self):
            return len(messages)

        def __iter__(self):
            for message in messages:
                yield message
                messages.pop()

    assert len(hashlanes.sha256_many(Pops())) == 2


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is new in Python 3.12")
def test_buffers_of_classes_may_lie():
    class Empties:
        """Empties the list that it is in."""

        def __buffer__(self, flags):
            messages.clear()
            return memoryview(b"a")

    class Fails:
        def __buffer__(self, flags):
            raise RuntimeError("it breaks")

    class NoView:
        def __buffer__(self, flags):
            return b"a"

    messages = [Empties(), b"b", b"c"]
    assert hashlanes.sha256_many(messages) == [hashlib.sha256(b"a").digest()]
    with pytest.raises(RuntimeError, match="message 1: it breaks"):
        hashlanes.sha256_many([b"", Fails()])
    with pytest.raises(TypeError):
        hashlanes.sha256_many([NoView()])


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize(
    "buffer",
    [
        b"one buffer",
        bytearray(b"one buffer"),
        memoryview(b"one buffer"),
        numpy.arange(8, dtype=numpy.uint8),
        numpy.arange(8, dtype=numpy.float64),
        # numpy would drop the zeros at the end of each.
        numpy.array([b"a", b"b\0"]),
    ],
    ids=lambda buffer: f"{type(buffer).__name__}-{getattr(buffer, 'dtype', '')}",
)
def test_one_buffer_is_not_a_list(many, buffer):
    with pytest.raises(TypeError, match="are one buffer"):
        many(buffer)


def test_arrays_of_objects_are_lists_and_not_buffers():
    array = numpy.empty(2, dtype=object)
    array[:] = [b"a", b"bc"]
    assert hashlanes.sha256_many(array) == hashlanes.sha256_many([b"a", b"bc"])
    for call in [
        lambda: hashlanes.sha256_many(array, 8),
        lambda: hashlanes.sha256_many([array]),
        lambda: hashlanes.merkle_root(array),
    ]:
        # Their bytes are addresses.
        with pytest.raises(TypeError, match="objects"):
            call()
    with pytest.raises(TypeError, match="objects"):
        hashlanes.sha256_many(numpy.zeros(2, dtype=[("a", "i4"), ("b", "O")]), 12)
    # The name of a field is not its type.
    fields = numpy.arange(4, dtype=numpy.int32).view([("Offset", "i4")])
    assert hashlanes.sha256_many(fields, 4) == hashlanes.sha256_many(fields.tobytes(), 4)
