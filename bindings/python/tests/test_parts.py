"""Messages in parts and files agree with hashlib; long calls end by Ctrl-C; trees pickle."""

import hashlib
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading

import pytest
from Crypto.Hash import RIPEMD160, keccak

import hashlanes
from hashlanes import Hasher, ManyHasher, hash_files

HASHES = {
    "sha256": lambda data: hashlib.sha256(data).digest(),
    "sha512": lambda data: hashlib.sha512(data).digest(),
    "sha3_256": lambda data: hashlib.sha3_256(data).digest(),
    "keccak256": lambda data: keccak.new(data=data, digest_bits=256).digest(),
    "sha1": lambda data: hashlib.sha1(data).digest(),
    "ripemd160": lambda data: RIPEMD160.new(data).digest(),
    "hash160": lambda data: RIPEMD160.new(hashlib.sha256(data).digest()).digest(),
    "sumhash512": lambda data: hashlanes.sumhash512_many([data])[0],
}


@pytest.mark.parametrize("name", HASHES)
def test_a_hasher_is_like_those_of_hashlib(name):
    expected = HASHES[name]
    hasher = Hasher(name)
    message = b""
    for i in range(40):
        assert hasher.digest() == expected(message)
        assert hasher.hexdigest() == expected(message).hex()
        part = bytes([i]) * (i * 53)
        for kind in [bytes, bytearray, memoryview]:
            hasher.update(kind(part))
            message += part
    assert Hasher(name, message).digest() == expected(message)
    copy = hasher.copy()
    copy.update(b"more")
    assert copy.digest() == expected(message + b"more")
    assert hasher.digest() == expected(message)
    assert hasher.name == name
    assert hasher.digest_size == len(expected(b""))
    if name in hashlib.algorithms_available and name != "keccak256":
        assert hasher.block_size == hashlib.new(name).block_size
    for wrong in ["text", 5, None, [1, 2]]:
        with pytest.raises(TypeError):
            hasher.update(wrong)


@pytest.mark.parametrize("name", HASHES)
def test_a_hasher_of_many(name):
    expected = HASHES[name]
    hasher = ManyHasher(name, 20)
    messages = [b""] * 20
    for turn in range(5):
        parts = [bytes([i]) * (i * 97 * turn) for i in range(20)]
        hasher.update_all(parts)
        messages = [message + part for message, part in zip(messages, parts)]
        hasher.update(turn, b"one")
        messages[turn] += b"one"
    assert hasher.digests() == [expected(message) for message in messages]
    assert hasher.hexdigests() == [expected(message).hex() for message in messages]
    copy = hasher.copy()
    copy.update(19, b"more")
    assert copy.digests()[19] == expected(messages[19] + b"more")
    assert hasher.digests()[19] == expected(messages[19])
    assert len(hasher) == 20 and hasher.name == name
    with pytest.raises(IndexError, match="message 20 of a hasher of 20 messages"):
        hasher.update(20, b"")
    with pytest.raises(ValueError, match="1 parts for 20 messages"):
        hasher.update_all([b""])
    with pytest.raises(TypeError, match="part 0"):
        hasher.update_all(["text"])
    assert ManyHasher(name, 0).digests() == []


def test_wrong_names_and_counts():
    for call in [Hasher, lambda name: ManyHasher(name, 1), lambda name: hash_files([], name)]:
        with pytest.raises(ValueError, match='no hash "md5"; there are sha256, '):
            call("md5")
    for count in [2**50, 2**62]:
        with pytest.raises(MemoryError):
            ManyHasher("sha256", count)
    with pytest.raises(OverflowError):
        ManyHasher("sha256", -1)


def test_threads_share_a_hasher():
    hasher = ManyHasher("sha256", 4)

    def work(index):
        for _ in range(300):
            hasher.update(index, bytes(5000))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hasher.digests() == [hashlib.sha256(bytes(1_500_000)).digest()] * 4


@pytest.mark.parametrize("name", HASHES)
def test_files(name, tmp_path):
    contents = [bytes([i]) * (i * 3001) for i in range(60)]
    paths = [tmp_path / str(i) for i in range(60)]
    for path, content in zip(paths, contents):
        path.write_bytes(content)
    calls = []
    digests = hash_files(paths, name, progress=lambda *done: calls.append(done))
    assert digests == [HASHES[name](content) for content in contents]
    assert calls == sorted(calls)
    assert calls[-1] == (sum(map(len, contents)), 60)
    assert hash_files(map(str, paths), name) == digests
    assert hash_files([], name) == []


def test_a_file_that_fails_has_its_error(tmp_path):
    (tmp_path / "one").write_bytes(b"one")
    missing = tmp_path / "missing"
    results = hash_files([missing, tmp_path / "one"])
    assert isinstance(results[0], FileNotFoundError)
    assert results[0].filename == missing
    assert "(os error" not in str(results[0])
    assert results[1] == hashlib.sha256(b"one").digest()
    assert isinstance(hash_files([tmp_path])[0], OSError)
    for wrong in ["path", tmp_path]:
        with pytest.raises(TypeError, match="pass a list"):
            hash_files(wrong)
    with pytest.raises(TypeError, match="path 1: "):
        hash_files(["one", 5])


def test_progress_stops_the_reading(tmp_path):
    for i in range(300):
        (tmp_path / str(i)).write_bytes(bytes(100_000))

    class Stop(Exception):
        pass

    calls = []

    def progress(bytes_read, files):
        calls.append(files)
        raise Stop

    with pytest.raises(Stop):
        hash_files([tmp_path / str(i) for i in range(300)], progress=progress)
    assert len(calls) == 1 and calls[0] < 300


LONG_CALLS = {
    "list": "hashlanes.sha256_many([big] * 4000)",
    "long messages": "hashlanes.sha256_many([view] * 100)",
    "a buffer": "hashlanes.sumhash512_many(view, 1024)",
    "sumhash512": "hashlanes.sumhash512_many([view])",
    "hmac": "hashlanes.hmac_sha256_many([b'key'] * 4000, [big] * 4000)",
    "pbkdf2": "hashlanes.pbkdf2_sha256_many([b''] * 10**5, [b''] * 10**5, 10**5)",
    "chains": "hashlanes.sha256_chains(bytes(32), [2**32 - 1])",
    "update": "hashlanes.Hasher('sumhash512').update(view)",
    "update_all": "hashlanes.ManyHasher('sha1', 100).update_all([view] * 100)",
    "files": "hashlanes.hash_files(['/dev/zero'])",
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS)
def test_ctrl_c_ends_a_long_call(call):
    # SIGINT arrives while the call runs, which alone would take longer than the timeout.
    code = f"""
        import hashlanes, os, signal, threading, time
        big = bytes(1 << 26)
        view = bytes(3 << 30)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            while True:
                {call}
                raise SystemExit("the call ended before the signal")
        except KeyboardInterrupt:
            print("interrupted")
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("interrupted", 0), done.stderr


@pytest.mark.parametrize("family", ["ssz", "bitcoin", "rfc6962"])
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_trees_pickle(family, protocol):
    for count in [1, 3, 100]:
        limit = 2**10 if family == "ssz" else None
        tree = hashlanes.MerkleTree(os.urandom(32 * count), limit, family=family)
        again = pickle.loads(pickle.dumps(tree, protocol))
        assert again == tree and hash(again) == hash(tree)
        assert (again.family, again.limit, len(again)) == (family, limit, count)
        assert again.prove(count - 1) == tree.prove(count - 1)


def test_iterations_for_each_password():
    passwords = [bytes([i]) * i for i in range(40)]
    counts = [1 + i * 7 % 30 for i in range(40)]
    keys = hashlanes.pbkdf2_sha256_many(passwords, [b"salt"] * 40, counts, 50)
    for password, count, key in zip(passwords, counts, keys):
        assert key == hashlib.pbkdf2_hmac("sha256", password, b"salt", count, 50)
    for wrong, error in [([1] * 39, ValueError), ([0] * 40, ValueError), ("many", TypeError)]:
        with pytest.raises(error):
            hashlanes.pbkdf2_sha256_many(passwords, [b""] * 40, wrong)


def test_slices_do_not_change_digests():
    # Around the 64 MiB after which signals are checked.
    long = bytes(range(256)) * (1 << 18)
    messages = [long, long[1:], long + b"x", b"", long[: 1 << 20]] + [b"y"] * 100
    expected = [hashlib.sha256(message).digest() for message in messages]
    assert hashlanes.sha256_many(messages) == expected
    assert hashlanes.hmac_sha256_many([b"k"] * 105, messages)[2] == hashlanes.hmac_sha256_many(
        [b"k"], [messages[2]]
    )[0]
    assert hashlanes.sha256_many(long + long, len(long)) == expected[0] * 2
    pieces = hashlanes.sha256_many(long + long, 1 << 20)
    assert pieces == expected[4] * 128
    short = hashlanes.sha256_many(long[: 64 * 600_000], 64)
    assert short[-32:] == hashlib.sha256(long[64 * 599_999 : 64 * 600_000]).digest()
    chains = hashlanes.sha256_chains(bytes(32 * 5000), [5000] + [1] * 4999)
    value = bytes(32)
    for _ in range(5000):
        value = hashlib.sha256(value).digest()
    assert chains[:32] == value
    assert chains[-32:] == hashlib.sha256(bytes(32)).digest()
