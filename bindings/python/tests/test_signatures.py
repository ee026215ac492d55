"""SLH-DSA agrees with NIST's vectors and the crate slh-dsa, and bad arguments are refused."""

import copy
import hashlib
import json
import pathlib
import pickle
import threading

import numpy
import pytest

import hashlanes
from hashlanes import SlhDsaSigningKey, slh_dsa_verify, slh_dsa_verify_many

VECTORS = json.loads((pathlib.Path(__file__).parents[2] / "slh-dsa.json").read_text())
SIGNING = VECTORS["signing"]["tests"]
SET = "SLH-DSA-SHA2-128f"


def sizes(name):
    """The bytes of a hash value and of a signature (FIPS 205 table 2)."""
    signature = {
        "128s": 7856, "128f": 17088, "192s": 16224, "192f": 35664, "256s": 29792, "256f": 49856,
    }  # fmt: skip
    kind = name.rsplit("-", 1)[1]
    return int(kind[:3]) // 8, signature[kind]


def seeds(n):
    return [bytes(range(first, first + n)) for first in (0, 0x40, 0x80)]


def key(name=SET, seed=1):
    n, _ = sizes(name)
    return SlhDsaSigningKey.from_seeds(name, bytes([seed] * n), bytes(n), bytes(range(n)))


@pytest.mark.parametrize("test", VECTORS["keyGeneration"]["tests"], ids=lambda test: test["set"])
def test_keys_are_those_of_acvp(test):
    parts = [bytes.fromhex(test[name]) for name in ("skSeed", "skPrf", "pkSeed")]
    made = SlhDsaSigningKey.from_seeds(test["set"], *parts)
    assert made.verifying_key == bytes.fromhex(test["verifyingKey"])
    assert made.to_bytearray() == b"".join(parts[:2]) + made.verifying_key


@pytest.mark.parametrize("test", SIGNING, ids=lambda test: test["set"])
def test_signatures_are_those_of_the_crate_slh_dsa(test):
    name = test["set"]
    n, length = sizes(name)
    made = SlhDsaSigningKey.from_seeds(name, *seeds(n))
    assert made.parameter_set == name
    assert made.verifying_key.hex() == test["verifyingKey"]
    signature = made.sign(b"message", b"context", deterministic=True)
    assert len(signature) == length
    assert hashlib.sha256(signature).hexdigest() == test["signature"]

    slh_dsa_verify(name, made.verifying_key, b"message", signature, b"context")
    for changed in [
        (made.verifying_key[:-1] + bytes([made.verifying_key[-1] ^ 1]), b"message", signature),
        (made.verifying_key, b"massage", signature),
        (made.verifying_key, b"message", signature[:-1] + bytes([signature[-1] ^ 1])),
        (made.verifying_key, b"message", bytes([signature[0] ^ 0x80]) + signature[1:]),
    ]:
        with pytest.raises(ValueError, match="^the signature is not valid$"):
            slh_dsa_verify(name, *changed, b"context")
    with pytest.raises(ValueError, match="not valid"):
        slh_dsa_verify(name, made.verifying_key, b"message", signature)


def test_signing_is_hedged_unless_asked_otherwise():
    made = key()
    first, second = made.sign(b"message"), made.sign(b"message")
    assert first != second
    for signature in (first, second):
        slh_dsa_verify(SET, made.verifying_key, b"message", signature)
    deterministic = made.sign(b"message", deterministic=True)
    assert deterministic == made.sign(bytearray(b"message"), b"", deterministic=True)


def test_generated_keys_differ_and_sign():
    first, second = (SlhDsaSigningKey.generate(SET) for _ in range(2))
    assert first.verifying_key != second.verifying_key
    secret = first.to_bytearray()
    assert isinstance(secret, bytearray) and len(secret) == 64
    # None of the three seeds is empty, and no two are equal.
    assert len({bytes(secret[at : at + 16]) for at in range(0, 64, 16)} | {bytes(16)}) == 5
    for given in [secret, bytes(secret)]:
        read = SlhDsaSigningKey.from_bytes(SET, given)
        signature = read.sign(b"message")
        slh_dsa_verify(SET, first.verifying_key, b"message", signature)
        with pytest.raises(ValueError):
            slh_dsa_verify(SET, second.verifying_key, b"message", signature)


def test_many_signatures_are_verified_as_one_by_one():
    keys = [key(seed=seed) for seed in (1, 2, 3)]
    verifying = [keys[i % 3].verifying_key for i in range(6)]
    messages = [bytes([i]) * i for i in range(6)]
    signatures = [keys[i % 3].sign(messages[i], b"c", deterministic=True) for i in range(6)]
    assert slh_dsa_verify_many(SET, verifying, messages, signatures, b"c") == []
    assert slh_dsa_verify_many(SET, iter(verifying), iter(messages), iter(signatures), b"c") == []
    assert slh_dsa_verify_many(SET, verifying, messages, signatures) == [0, 1, 2, 3, 4, 5]
    assert slh_dsa_verify_many(SET, [], [], []) == []

    # Two wrong ones, and lengths of which there are no signatures, in more than one group.
    count = 300
    batch = [signatures[i % 6] for i in range(count)]
    batch[7], batch[299] = batch[7][:-1] + bytes([batch[7][-1] ^ 1]), bytes(len(batch[0]))
    batch[3], batch[256] = batch[3][:-1], b""
    repeated = lambda items: [items[i % 6] for i in range(count)]
    wrong = slh_dsa_verify_many(SET, repeated(verifying), repeated(messages), batch, b"c")
    assert wrong == [3, 7, 256, 299]


def test_erased_keys_sign_no_more():
    made = key()
    before = made.verifying_key
    made.erase()
    made.erase()
    for call in [lambda: made.sign(b"message"), made.to_bytearray]:
        with pytest.raises(ValueError, match="the key was erased"):
            call()
    assert made.verifying_key == before and made.parameter_set == SET


def test_keys_keep_their_secret():
    made = SlhDsaSigningKey.from_seeds(SET, b"\xab" * 16, b"\xcd" * 16, b"\xef" * 16)
    for shown in [repr(made), str(made)]:
        assert SET in shown and made.verifying_key.hex() in shown
        assert "abab" not in shown and "cdcd" not in shown
    with pytest.raises(TypeError):
        pickle.dumps(made)
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(made)
    with pytest.raises(TypeError):
        SlhDsaSigningKey()
    with pytest.raises(AttributeError):
        made.verifying_key = b""


def test_wrong_keys_are_refused():
    with pytest.raises(ValueError, match='128" is not a parameter set.*SLH-DSA-SHAKE-256f'):
        SlhDsaSigningKey.generate("SLH-DSA-SHA2-128")
    for wrong in [None, 7, b"SLH-DSA-SHA2-128f"]:
        with pytest.raises(TypeError):
            SlhDsaSigningKey.generate(wrong)
    for at in range(3):
        parts = seeds(16)
        parts[at] = parts[at][1:]
        with pytest.raises(ValueError, match="SLH-DSA-SHA2-128f needs 16 bytes here, not 15"):
            SlhDsaSigningKey.from_seeds(SET, *parts)
    with pytest.raises(ValueError, match="needs 64 bytes here, not 63"):
        SlhDsaSigningKey.from_bytes(SET, bytes(63))
    damaged = key().to_bytearray()
    damaged[63] ^= 1
    with pytest.raises(ValueError, match="the root of this SLH-DSA-SHA2-128f key"):
        SlhDsaSigningKey.from_bytes(SET, damaged)
    # Copies of these would stay in memory.
    for wrong in [memoryview(bytes(64)), numpy.zeros(64, dtype=numpy.uint8), "text", None, [1]]:
        with pytest.raises(TypeError, match="key must be bytes or a bytearray, not"):
            SlhDsaSigningKey.from_bytes(SET, wrong)
        with pytest.raises(TypeError, match="sk_prf must be bytes or a bytearray, not"):
            SlhDsaSigningKey.from_seeds(SET, bytes(16), wrong, bytes(16))


def test_wrong_arguments_are_refused():
    made = key()
    signature = made.sign(b"", deterministic=True)
    assert len(made.sign(b"", bytes(255))) == 17088
    for call in [
        lambda: made.sign(b"", bytes(256)),
        lambda: slh_dsa_verify(SET, made.verifying_key, b"", signature, bytes(256)),
        lambda: slh_dsa_verify_many(SET, [made.verifying_key], [b""], [signature], bytes(256)),
        lambda: slh_dsa_verify_many(SET, [], [], [], bytes(256)),
    ]:
        with pytest.raises(ValueError, match="at most 255 bytes, not 256"):
            call()
    for wrong in ["text", None, 7]:
        for call in [
            lambda: made.sign(wrong),
            lambda: slh_dsa_verify(SET, wrong, b"", signature),
            lambda: slh_dsa_verify(SET, made.verifying_key, wrong, signature),
            lambda: slh_dsa_verify(SET, made.verifying_key, b"", wrong),
            lambda: slh_dsa_verify(wrong, made.verifying_key, b"", signature),
        ]:
            with pytest.raises((TypeError, ValueError)):
                call()
    with pytest.raises(TypeError):
        made.sign(b"", 7)
    for length in [0, 17087, 17089]:
        with pytest.raises(ValueError, match=f"signature: .* needs 17088 bytes here, not {length}"):
            slh_dsa_verify(SET, made.verifying_key, b"", bytes(length))
    with pytest.raises(ValueError, match="verifying_key: .* needs 32 bytes here, not 31"):
        slh_dsa_verify(SET, made.verifying_key[1:], b"", signature)
    with pytest.raises(ValueError, match="is not a parameter set"):
        slh_dsa_verify("SLH-DSA", made.verifying_key, b"", signature)

    keys = [made.verifying_key] * 2
    with pytest.raises(ValueError, match="2 keys, but 1 messages and 2 signatures"):
        slh_dsa_verify_many(SET, keys, [b""], [signature] * 2)
    with pytest.raises(ValueError, match="verifying key 1: SLH-DSA-SHA2-128f needs 32 bytes"):
        slh_dsa_verify_many(SET, [keys[0], b"short"], [b""] * 2, [signature] * 2)
    with pytest.raises(TypeError, match="signature 1: "):
        slh_dsa_verify_many(SET, keys, [b""] * 2, [signature, "text"])
    with pytest.raises(TypeError, match="pass a list of messages"):
        slh_dsa_verify_many(SET, keys, b"one buffer", [signature] * 2)


def test_threads_sign_with_one_key():
    made = key()
    expected = made.sign(b"message", deterministic=True)
    found = []

    def sign():
        found.append(made.sign(b"message", deterministic=True))

    threads = [threading.Thread(target=sign) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
