#!/usr/bin/env python3
"""Packs response files of CAVP into the blobs of this folder, in the format of the crate blobby.

    pack.py FOLDER    # of the files *.rsp in sha-3bytetestvectors.zip and shakebytetestvectors.zip

The archives are at https://csrc.nist.gov/projects/cryptographic-algorithm-validation-program.
A file NAME.blb has the values of NAME.rsp in order, without the lengths and counts: each message
and its result, or the seed of a Monte Carlo test and its hundred results.
"""

import pathlib
import sys

NAMES = [
    *(f"SHA3_{bits}{kind}" for bits in (224, 256, 384, 512) for kind in ("ShortMsg", "Monte")),
    *(f"SHAKE{bits}{kind}" for bits in (128, 256) for kind in ("ShortMsg", "VariableOut", "Monte")),
]


def quantity(value):
    """The variable-length quantity of Git: seven bits a byte, the highest first."""
    encoded = [value & 0x7F]
    while value := value >> 7:
        value -= 1
        encoded.append(value & 0x7F | 0x80)
    return bytes(reversed(encoded))


def blobs(text):
    length = None
    for line in text.splitlines():
        key, _, value = line.partition(" = ")
        if key == "Len":
            length = int(value) // 8
        elif key in ("Msg", "Seed", "MD", "Output"):
            # The message of no bytes is written as 00.
            yield bytes.fromhex(value)[: length if key == "Msg" else None]


for name in NAMES:
    items = list(blobs((pathlib.Path(sys.argv[1]) / f"{name}.rsp").read_text()))
    packed = quantity(len(items)) + quantity(0)  # no blob is stored once for several
    packed += b"".join(quantity(len(item) << 1) + item for item in items)
    pathlib.Path(__file__).with_name(f"{name}.blb").write_bytes(packed)
