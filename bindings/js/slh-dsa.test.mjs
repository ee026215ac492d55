// Runs in a folder with the built package and the vectors.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { runInNewContext } from "node:vm";

import { SigningKey, verify, verifyMany } from "@hashlanes/hashes/slh-dsa";

// Beside a packed copy, or in the folder above this one, which Python's tests read it from, too.
const places = ["slh-dsa.json", "../slh-dsa.json"].map((path) => new URL(path, import.meta.url));
const vectors = JSON.parse(readFileSync(places.find((place) => existsSync(place))));
const SET = "SLH-DSA-SHA2-128f";

const equal = (left, right) => assert.deepEqual(Buffer.from(left), Buffer.from(right));
const hex = (text) => Uint8Array.from(Buffer.from(text, "hex"));
const text = (text) => new TextEncoder().encode(text);
const ramp = (first, length) => Uint8Array.from({ length }, (_, i) => first + i);
const keyOf = (seed) =>
  SigningKey.fromSeeds(SET, new Uint8Array(16).fill(seed), new Uint8Array(16), ramp(0, 16));
const flipped = (bytes, at) => {
  const changed = bytes.slice();
  changed[at] ^= 1;
  return changed;
};
const context = text("context");
const deterministic = true;

/** The bytes of a hash value and of a signature (FIPS 205 table 2). */
const SIZES = {
  "128s": [16, 7856], "128f": [16, 17088], "192s": [24, 16224],
  "192f": [24, 35664], "256s": [32, 29792], "256f": [32, 49856],
};

test("keys are those of NIST's vectors", () => {
  for (const { set, skSeed, skPrf, pkSeed, verifyingKey } of vectors.keyGeneration.tests) {
    const key = SigningKey.fromSeeds(set, hex(skSeed), hex(skPrf), hex(pkSeed));
    equal(key.verifyingKey, hex(verifyingKey));
    equal(key.toBytes(), hex(skSeed + skPrf + verifyingKey));
  }
});

for (const { set, verifyingKey, signature: digest } of vectors.signing.tests) {
  test(`signatures of ${set} are those of the crate slh-dsa`, () => {
    const [n, length] = SIZES[set.slice(-4)];
    const key = SigningKey.fromSeeds(set, ramp(0, n), ramp(0x40, n), ramp(0x80, n));
    assert.equal(key.parameterSet, set);
    equal(key.verifyingKey, hex(verifyingKey));
    const message = text("message");
    const signature = key.sign(message, { context, deterministic });
    assert.equal(signature.length, length);
    assert.equal(createHash("sha256").update(signature).digest("hex"), digest);

    const right = [key.verifyingKey, message, signature];
    assert.equal(verify(set, ...right, { context }), true);
    assert.equal(verify(set, ...right), false);
    right.forEach((part, i) => {
      for (const at of [0, part.length - 1]) {
        const changed = Object.assign([...right], { [i]: flipped(part, at) });
        assert.equal(verify(set, ...changed, { context }), false);
      }
    });
  });
}

test("signing is hedged unless asked otherwise", () => {
  const key = keyOf(1);
  const [first, second] = [key.sign(text("message")), key.sign(text("message"))];
  assert.notDeepEqual(first, second);
  for (const signature of [first, second]) {
    assert.equal(verify(SET, key.verifyingKey, text("message"), signature), true);
  }
  equal(key.sign(text(""), { deterministic }), key.sign(text(""), { deterministic }));
});

test("generated keys differ and sign", () => {
  const [first, second] = [SigningKey.generate(SET), SigningKey.generate(SET)];
  assert.notDeepEqual(first.verifyingKey, second.verifyingKey);
  const secret = first.toBytes();
  // None of the three seeds is empty, and no two are equal.
  const parts = [0, 16, 32].map((at) => Buffer.from(secret.subarray(at, at + 16)).toString("hex"));
  assert.equal(new Set([...parts, "00".repeat(16)]).size, 4);
  const signature = SigningKey.fromBytes(SET, secret).sign(text("message"));
  assert.equal(verify(SET, first.verifyingKey, text("message"), signature), true);
  assert.equal(verify(SET, second.verifyingKey, text("message"), signature), false);
});

test("many signatures are verified as one by one", () => {
  const keys = [1, 2, 3].map(keyOf);
  const items = Array.from({ length: 6 }, (_, i) => {
    const message = new Uint8Array(i).fill(i);
    const signature = keys[i % 3].sign(message, { context, deterministic });
    return { verifyingKey: keys[i % 3].verifyingKey, message, signature };
  });
  assert.deepEqual(verifyMany(SET, items, { context }), []);
  assert.deepEqual(verifyMany(SET, items.values(), { context }), []);
  assert.deepEqual(verifyMany(SET, items), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(verifyMany(SET, []), []);
  const batch = Array.from({ length: 130 }, (_, i) => ({ ...items[i % 6] }));
  batch[7].signature = flipped(batch[7].signature, 17087);
  batch[129].message = text("another");
  batch[3].signature = batch[3].signature.subarray(1);
  batch[128].signature = new Uint8Array(0);
  assert.deepEqual(verifyMany(SET, batch, { context }), [3, 7, 128, 129]);
});

test("erased keys are gone", () => {
  const key = keyOf(1);
  const { verifyingKey } = key;
  key.erase();
  key.erase();
  for (const call of [() => key.sign(text("message")), () => key.toBytes()]) {
    assert.throws(call, /the key was erased/);
  }
  equal(key.verifyingKey, verifyingKey);
  // Those that are given out are copies.
  key.verifyingKey.fill(0);
  equal(key.verifyingKey, verifyingKey);
});

test("keys survive the growth of WebAssembly's memory", () => {
  const key = keyOf(1);
  const before = key.toBytes();
  assert.equal(verify(SET, key.verifyingKey, new Uint8Array(1 << 25), new Uint8Array(17088)), false);
  equal(key.toBytes(), before);
  const signature = key.sign(text("message"));
  assert.equal(verify(SET, key.verifyingKey, text("message"), signature), true);
});

test("no secret is shown", () => {
  const key = SigningKey.fromSeeds(SET, new Uint8Array(16).fill(171), ramp(0, 16), ramp(0, 16));
  assert.deepEqual(Object.keys(key), []);
  assert.equal(JSON.stringify(key), "{}");
});

test("arrays of another realm are bytes", () => {
  const message = runInNewContext("new Uint8Array([1, 2, 3])");
  const key = keyOf(1);
  const signature = key.sign(message);
  assert.equal(verify(SET, key.verifyingKey, ramp(1, 3), signature), true);
});

test("a length that an object claims is not believed", () => {
  const key = SigningKey.generate(SET);
  const lying = (bytes) => Object.defineProperty(bytes.slice(), "length", { value: 3 });
  const message = new Uint8Array(40).fill(7);
  const signature = key.sign(lying(message));
  assert.ok(verify(SET, key.verifyingKey, message, signature));
  assert.ok(verify(SET, lying(key.verifyingKey), lying(message), lying(signature)));
  equal(SigningKey.fromBytes(SET, lying(key.toBytes())).toBytes(), key.toBytes());
});

test("wrong keys are refused", () => {
  for (const name of ["", "SLH-DSA-SHA2-128", "slh-dsa-sha2-128f", "__proto__"]) {
    const calls = [
      () => SigningKey.generate(name),
      () => verify(name, ramp(0, 32), ramp(0, 1), ramp(0, 1)),
      () => verifyMany(name, []),
    ];
    for (const call of calls) {
      assert.throws(call, { name: "RangeError", message: /is not a parameter set.*SLH-DSA-SHAKE-256f/ });
    }
  }
  for (const name of [undefined, null, 7, {}, [SET]]) {
    assert.throws(() => SigningKey.generate(name), TypeError);
  }
  const seeds = { skSeed: ramp(0, 16), skPrf: ramp(1, 16), pkSeed: ramp(2, 16) };
  for (const name of Object.keys(seeds)) {
    const wrong = { ...seeds, [name]: ramp(0, 15) };
    const call = () => SigningKey.fromSeeds(SET, ...Object.values(wrong));
    assert.throws(call, { name: "RangeError", message: `${name} has 15 bytes, not 16` });
    for (const value of [undefined, "text", 7, new Uint16Array(16), new DataView(new ArrayBuffer(16))]) {
      const wrong = { ...seeds, [name]: value };
      const call = () => SigningKey.fromSeeds(SET, ...Object.values(wrong));
      assert.throws(call, { name: "TypeError", message: `${name} is not a Uint8Array` });
    }
  }
  assert.throws(() => SigningKey.fromBytes(SET, ramp(0, 63)), /the key has 63 bytes, not 64/);
  assert.throws(() => SigningKey.fromBytes(SET, "text"), TypeError);
  const damaged = flipped(keyOf(1).toBytes(), 63);
  assert.throws(() => SigningKey.fromBytes(SET, damaged), { name: "RangeError", message: /the root of this/ });
  assert.throws(() => new SigningKey(), TypeError);
});

test("wrong arguments are refused", () => {
  const key = keyOf(1);
  const signature = key.sign(ramp(0, 3), { context: new Uint8Array(255) });
  const long = { context: new Uint8Array(256) };
  const verifyingKey = key.verifyingKey;
  const message = ramp(0, 3);
  for (const call of [
    () => key.sign(message, long),
    () => verify(SET, verifyingKey, message, signature, long),
    () => verifyMany(SET, [], long),
  ]) {
    assert.throws(call, { name: "RangeError", message: /256 bytes, more than 255/ });
  }
  for (const wrong of [undefined, null, "text", 7, [1, 2], new Float64Array(32)]) {
    for (const call of [
      () => key.sign(wrong),
      () => verify(SET, wrong, message, signature),
      () => verify(SET, verifyingKey, wrong, signature),
      () => verify(SET, verifyingKey, message, wrong),
      () => verifyMany(SET, [{ verifyingKey, message, signature: wrong }]),
      () => verifyMany(SET, [{ verifyingKey, message: wrong, signature }]),
      () => verifyMany(SET, [{ verifyingKey: wrong, message, signature }]),
      () => verifyMany(SET, [wrong]),
    ]) {
      assert.throws(call, { name: "TypeError", message: /is not a Uint8Array/ });
    }
  }
  assert.throws(() => verifyMany(SET, 7), TypeError);
  assert.throws(() => verifyMany(SET, Promise.resolve([])), /the items are a promise/);
  assert.throws(() => verify(SET, ramp(0, 31), message, signature), /has 31 bytes, not 32/);
  const items = [{ verifyingKey, message, signature }, { verifyingKey: ramp(0, 33), message, signature }];
  assert.throws(() => verifyMany(SET, items), /the verifying key of item 1 has 33 bytes, not 32/);
  for (const length of [0, 17087, 17089]) {
    assert.equal(verify(SET, verifyingKey, message, new Uint8Array(length)), false);
  }
  // Nothing that was refused has broken the instance.
  const context = new Uint8Array(255);
  assert.equal(verify(SET, verifyingKey, message, signature, { context }), true);
});
