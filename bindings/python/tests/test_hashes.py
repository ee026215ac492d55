"""Digests agree with hashlib and PyCryptodome, and bad arguments are refused."""

import hashlib
import hmac
import importlib.metadata
import random
import threading

import numpy
import pytest
from Crypto.Hash import RIPEMD160, keccak

import hashlanes


def ripemd160(message):
    return RIPEMD160.new(message).digest()


def keccak256(message):
    return keccak.new(digest_bits=256, data=message).digest()


ORACLES = {
    hashlanes.sha256_many: lambda message: hashlib.sha256(message).digest(),
    hashlanes.sha512_many: lambda message: hashlib.sha512(message).digest(),
    hashlanes.keccak256_many: keccak256,
    hashlanes.sha3_256_many: lambda message: hashlib.sha3_256(message).digest(),
    hashlanes.sha1_many: lambda message: hashlib.sha1(message).digest(),
    hashlanes.ripemd160_many: ripemd160,
    hashlanes.hash160_many: lambda message: ripemd160(hashlib.sha256(message).digest()),
}
MANY = [*ORACLES, hashlanes.sumhash512_many]
# The vectors of Algorand's go-sumhash.
SUMHASH512 = [
    (
        b"",
        "591591c93181f8f90054d138d6fa85b63eeeb416e6fd201e8375ba05d3cb5539"
        "1047b9b64e534042562cc61944930c0075f906f16710cdade381ee9dd47d10a0",
    ),
    (
        b"abc",
        "a8e9b8259a93b8d2557434905790114a2a2e979fbdc8aa6fd373315a322bf092"
        "0a9b49f3dc3a744d8c255c46cd50ff196415c8245cdbb2899dec453fca2ba0f4",
    ),
]


def messages_of(lengths):
    return [random.Random(length).randbytes(length) for length in lengths]


@pytest.mark.parametrize("many", ORACLES)
def test_lists_agree_with_other_implementations(many):
    messages = messages_of([*range(150), 1000, 64, 64, 64, 100_000])
    for count in [0, 1, 2, 3, 15, 16, 17, 33, len(messages)]:
        expected = [ORACLES[many](message) for message in messages[:count]]
        assert many(messages[:count]) == expected
        assert many(iter(messages[:count])) == expected


@pytest.mark.parametrize("message, digest", SUMHASH512)
def test_sumhash512_has_the_digests_of_go_sumhash(message, digest):
    assert hashlanes.sumhash512_many([message] * 5) == [bytes.fromhex(digest)] * 5


@pytest.mark.parametrize("many", MANY)
@pytest.mark.parametrize("length", [1, 20, 32, 33, 55, 56, 64, 65, 200])
def test_buffers_agree_with_lists(many, length):
    for count in [0, 1, 7, 40]:
        (buffer,) = messages_of([count * length])
        messages = [buffer[i : i + length] for i in range(0, len(buffer), length)]
        assert many(buffer, length) == many(buffer, length=length) == b"".join(many(messages))


def test_all_bytes_like_objects_are_messages():
    message = bytes(range(256)) * 2
    array = numpy.frombuffer(message, dtype=numpy.uint32).reshape(8, 16)
    kinds = [message, bytearray(message), memoryview(message), array]
    assert set(hashlanes.sha256_many(kinds)) == {hashlib.sha256(message).digest()}
    for kind in kinds:
        assert hashlanes.sha256_many(kind, 64) == hashlanes.sha256_many(message, 64)
        assert hashlanes.sha256_pairs(kind) == hashlanes.sha256_pairs(message)
    # The rows of an array are its items.
    assert hashlanes.sha256_many(array) == hashlanes.sha256_many([*array])
    every_other = memoryview(message)[::2]
    assert hashlanes.sha256_many([every_other]) == [hashlib.sha256(message[::2]).digest()]


@pytest.mark.parametrize("count", [0, 1, 2, 31, 100])
def test_pairs_agree_with_hashlib(count):
    (buffer,) = messages_of([count * 64])
    once = [hashlib.sha256(buffer[i : i + 64]).digest() for i in range(0, len(buffer), 64)]
    twice = [hashlib.sha256(digest).digest() for digest in once]
    assert hashlanes.sha256_pairs(buffer) == b"".join(once)
    assert hashlanes.sha256_pairs(buffer, double=True) == b"".join(twice)


def test_hmac_agrees_with_hashlib():
    keys, messages = messages_of(range(0, 200, 5)), messages_of(range(200, 160, -1))
    expected = [hmac.digest(key, text, "sha256") for key, text in zip(keys, messages)]
    assert hashlanes.hmac_sha256_many(keys, messages) == expected


@pytest.mark.parametrize("iterations, dklen", [(1, 32), (2, 20), (10, 65)])
def test_pbkdf2_agrees_with_hashlib(iterations, dklen):
    passwords, salts = messages_of(range(0, 100, 5)), messages_of(range(20))
    expected = [
        hashlib.pbkdf2_hmac("sha256", password, salt, iterations, dklen)
        for password, salt in zip(passwords, salts)
    ]
    assert hashlanes.pbkdf2_sha256_many(passwords, salts, iterations, dklen) == expected
    assert hashlanes.pbkdf2_sha256_many([], [], iterations, dklen) == []


@pytest.mark.parametrize("many", MANY)
def test_errors_name_the_index(many):
    with pytest.raises(TypeError, match="message 2: .*'int'"):
        many([b"", b"", 3, 4])
    with pytest.raises(TypeError, match="message 0: .*'str'"):
        many("text")
    released = memoryview(b"")
    released.release()
    with pytest.raises(ValueError, match="message 1: .*released"):
        many([b"", released])


@pytest.mark.parametrize("many", MANY)
def test_wrong_arguments_are_refused(many):
    with pytest.raises(TypeError, match="pass a list of messages"):
        many(b"one buffer without a length")
    with pytest.raises(TypeError, match="not iterable"):
        many(3)
    with pytest.raises(TypeError, match="messages, with a length: .*bytes-like object is required"):
        many([b""], 32)
    with pytest.raises(ValueError, match="100 bytes .* 64 bytes"):
        many(bytes(100), 64)
    with pytest.raises(ValueError, match="must not be 0"):
        many(b"", 0)
    with pytest.raises(OverflowError):
        many(b"", -1)


def test_other_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="65 bytes"):
        hashlanes.sha256_pairs(bytes(65))
    with pytest.raises(ValueError, match="1 keys, but 2 messages"):
        hashlanes.hmac_sha256_many([b""], [b"", b""])
    with pytest.raises(TypeError, match="key 1: "):
        hashlanes.hmac_sha256_many([b"", None], [b"", b""])
    with pytest.raises(ValueError, match="2 passwords, but 1 salts"):
        hashlanes.pbkdf2_sha256_many([b"", b""], [b""], 1)
    with pytest.raises(TypeError, match="salt 0: "):
        hashlanes.pbkdf2_sha256_many([b""], [7], 1)
    for iterations, dklen in [(0, 32), (1, 0), (1, 2**37)]:
        with pytest.raises(ValueError):
            hashlanes.pbkdf2_sha256_many([b""], [b""], iterations, dklen)
    with pytest.raises(MemoryError):
        hashlanes.pbkdf2_sha256_many([b""] * 2**20, [b""] * 2**20, 1, 2**36)


def test_other_threads_run_during_a_call():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    hashlanes.pbkdf2_sha256_many([b"password"] * 64, [b"salt"] * 64, 100_000)
    after = len(ticks)
    done.set()
    thread.join()
    # With the GIL held, none would be added between the two lines.
    assert after - before > 5


# The hash, the longest message, the longest value.
CHAINS = [
    (hashlanes.sha256_chains, lambda text, size: hashlib.sha256(text).digest()[:size], 55, 32),
    (hashlanes.sha512_chains, lambda text, size: hashlib.sha512(text).digest()[:size], 111, 64),
    (hashlanes.shake256_chains, lambda text, size: hashlib.shake_256(text).digest(size), 135, 135),
]


def advanced(digest, message, steps, value, counter):
    """The message after some steps."""
    message = bytearray(message)
    for _ in range(steps):
        message[slice(*value)] = digest(bytes(message), value[1] - value[0])
        if counter:
            size = counter[1] - counter[0]
            number = int.from_bytes(message[slice(*counter)], "big") + 1
            message[slice(*counter)] = (number % 256**size).to_bytes(size, "big")
    return bytes(message)


@pytest.mark.parametrize("chains, digest, longest, _", CHAINS)
def test_chains_agree_with_hashlib(chains, digest, longest, _):
    cases = [(32, (0, 32), None), (38, (22, 38), (18, 22)), (longest, (5, 30), (0, 1))]
    for length, value, counter in cases:
        for count in [0, 1, 7, 40]:
            (messages,) = messages_of([count * length])
            steps = [i * 7 % 300 for i in range(count)]
            pieces = [messages[i : i + length] for i in range(0, len(messages), length)]
            expected = [advanced(digest, *pair, value, counter) for pair in zip(pieces, steps)]
            ends = chains(messages, steps, length, value=value, counter=counter)
            assert ends == b"".join(expected)
            found = chains(bytearray(messages), iter(steps), length, value=value, counter=counter)
            assert found == ends


def test_chains_of_whole_digests_are_the_default():
    once, twice = (hashlib.sha256(bytes(32)).digest(), hashlib.sha256(b"a" * 32).digest())
    ends = hashlanes.sha256_chains(bytes(32) + b"a" * 32, [1, 2])
    assert ends == once + hashlib.sha256(twice).digest()
    assert hashlanes.sha512_chains(bytes(64), [1]) == hashlib.sha512(bytes(64)).digest()
    assert hashlanes.shake256_chains(bytes(32), [1]) == hashlib.shake_256(bytes(32)).digest(32)


@pytest.mark.parametrize("chains, _, longest, longest_value", CHAINS)
def test_wrong_chains_are_refused(chains, _, longest, longest_value):
    def refused(match, messages, steps, *arguments, error=ValueError, **others):
        with pytest.raises(error, match=match):
            chains(messages, steps, *arguments, **others)

    refused("2 chains have messages of 32 bytes each, not 65", bytes(65), [1, 1], 32)
    reason = f"at most {longest} bytes, not {longest + 1}"
    refused(reason, bytes(longest + 1), [1], longest + 1, value=(0, 8))
    if longest_value < longest:
        refused("longer than a digest", bytes(longest), [1], longest)
    refused("the value is in the bytes 0..33 of 32", bytes(32), [1], 32, value=(0, 33))
    refused("the value is in the bytes 0..0 of 0", b"", [], 0)
    refused("the value is in the bytes 9..3 of 32", bytes(32), [1], 32, value=(9, 3))
    refused("a counter of 5 bytes", bytes(40), [1], 40, value=(0, 32), counter=(32, 37))
    refused("overlaps", bytes(40), [1], 40, value=(0, 32), counter=(31, 33))
    refused("step 1: ", bytes(64), [1, "2"], 32, error=TypeError)
    refused("step 0: ", bytes(32), [-1], 32, error=OverflowError)
    refused("step 0: ", bytes(32), [2**32], 32, error=OverflowError)
    refused("not iterable", bytes(32), 7, 32, error=TypeError)
    refused(None, bytes(32), [1], -1, error=OverflowError)
    refused(None, bytes(32), [1], 32, value=(-1, 8), error=OverflowError)


def test_the_version_is_that_of_the_package():
    assert hashlanes.__version__ == importlib.metadata.version("hashlanes")


def test_the_backend_has_a_name():
    assert hashlanes.backend()
    assert "lanes" in hashlanes.__doc__
