// Runs in a folder with the built package and its development dependencies.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import * as tree from "@chainsafe/persistent-merkle-tree";
import { hasher as asSha256 } from "@chainsafe/persistent-merkle-tree/hasher/as-sha256";
import { hasher as hashtree } from "@chainsafe/persistent-merkle-tree/hasher/hashtree";

import { keccak_256 } from "@noble/hashes/sha3";

import * as hashes from "@hashlanes/hashes";
import {
  LEVEL, backend, digest64, digestEqual, digestMany, hashInto, hashLevel,
} from "@hashlanes/hashes";
import { hasher } from "@hashlanes/hashes/hasher";

const sha256 = (message) => createHash("sha256").update(message).digest();
const bytes = (length, seed = 0) => Uint8Array.from({ length }, (_, i) => (i + seed) % 251);
/** Pieces of a buffer. */
const cut = (buffer, length) =>
  Array.from(
    { length: buffer.length / length },
    (_, i) => buffer.subarray(i * length, (i + 1) * length),
  );
const nodesOf = (level) => cut(level, 64);
const equal = (left, right) => assert.deepEqual(Buffer.from(left), Buffer.from(right));

test("levels agree with node:crypto", () => {
  assert.equal(backend(), "simd128");
  for (const count of [0, 1, 2, 3, 4, 5, 16, LEVEL - 1, LEVEL, LEVEL + 1, 3 * LEVEL + 7]) {
    const level = bytes(64 * count, count);
    const expected = Buffer.concat(nodesOf(level).map(sha256));
    equal(digest64(level), expected);
    // In place.
    hashInto(level, level.subarray(0, level.length / 2));
    equal(level.subarray(0, level.length / 2), expected);
  }
});

test("messages of all lengths agree with node:crypto", () => {
  const messages = Array.from({ length: 300 }, (_, i) => bytes(i, i));
  equal(digestMany(messages), Buffer.concat(messages.map(sha256)));
  equal(digestMany(messages.values()), Buffer.concat(messages.map(sha256)));
  equal(digestMany([]), Buffer.alloc(0));
  for (const length of [1, 32, 55, 56, 64, 100]) {
    const buffer = bytes(length * 40);
    equal(digestEqual(buffer, length), Buffer.concat(cut(buffer, length).map(sha256)));
  }
});

const openssl = (name, options) => (message) => createHash(name, options).update(message).digest();
const OTHERS = {
  sha512: openssl("sha512"),
  sha3_256: openssl("sha3-256"),
  keccak256: keccak_256,
};

test("the other hashes agree with node:crypto and @noble/hashes", () => {
  const messages = Array.from({ length: 300 }, (_, i) => bytes(i, i));
  for (const [name, hash] of Object.entries(OTHERS)) {
    const [many, equalLengths] = [hashes[`${name}Many`], hashes[`${name}Equal`]];
    equal(many(messages), Buffer.concat(messages.map(hash)));
    equal(many([]), Buffer.alloc(0));
    for (const length of [1, 32, 64, 111, 112, 128, 135, 136, 137]) {
      const buffer = bytes(length * 20);
      equal(equalLengths(buffer, length), Buffer.concat(cut(buffer, length).map(hash)));
    }
    assert.throws(() => many([bytes(1), "text"]), /message 1 is not a Uint8Array/);
    assert.throws(() => equalLengths(bytes(65), 64), RangeError);
  }
});

/** The hash of chains, the longest message and the longest value. */
const CHAINS = {
  sha256: [openssl("sha256"), 55, 32],
  sha512: [openssl("sha512"), 111, 64],
  shake256: [openssl("shake256", { outputLength: 136 }), 135, 135],
};

/** A message after some steps. */
function advanced(hash, message, steps, value, counter) {
  const end = Uint8Array.from(message);
  for (let step = 0; step < steps; step++) {
    end.set(hash(end).subarray(0, value[1] - value[0]), value[0]);
    let at = counter[1];
    while (at > counter[0]) {
      at -= 1;
      end[at] += 1;
      if (end[at] !== 0) break;
    }
  }
  return end;
}

test("chains agree with node:crypto", () => {
  for (const [name, [hash, longest]] of Object.entries(CHAINS)) {
    const chains = hashes[`${name}Chains`];
    for (const [length, value, counter] of [
      [32, [0, 32], [0, 0]],
      [38, [22, 38], [18, 22]],
      [longest, [5, 30], [0, 1]],
    ]) {
      for (const count of [0, 1, 7, 20]) {
        const messages = bytes(length * count);
        const steps = Array.from({ length: count }, (_, i) => (i * 37) % 290);
        const ends = steps.map((step, i) =>
          advanced(hash, messages.subarray(i * length, (i + 1) * length), step, value, counter));
        const before = Buffer.from(messages);
        const layout = { length, value, counter };
        equal(chains(messages, steps, layout), Buffer.concat(ends));
        equal(chains(messages, Uint32Array.from(steps), layout), Buffer.concat(ends));
        equal(messages, before);
      }
    }
  }
  const ends = Buffer.concat([sha256(bytes(32)), bytes(64).subarray(32)]);
  equal(hashes.sha256Chains(bytes(64), [1, 0]), ends);
});

test("wrong chains are refused", () => {
  for (const [name, [, longest]] of Object.entries(CHAINS)) {
    const chains = hashes[`${name}Chains`];
    const refused = (message, ...call) =>
      assert.throws(() => chains(...call), { name: "RangeError", message });
    refused(/2 chains have messages of 32 bytes each, not 65/, bytes(65), [1, 1], { length: 32 });
    refused(/at most/, bytes(longest + 1), [1], { length: longest + 1, value: [0, 8] });
    const long = { length: 40, value: [0, 32], counter: [32, 37] };
    refused(/the value is in the bytes 0..33/, bytes(32), [1], { length: 32, value: [0, 33] });
    refused(/counter of 5 bytes/, bytes(40), [1], long);
    refused(/overlaps/, bytes(40), [1], { length: 40, value: [0, 32], counter: [31, 33] });
    for (const wrong of [-1, 1.5, 2 ** 32, NaN, "1", undefined]) {
      refused(/step 1/, bytes(64), [1, wrong], { length: 32 });
      refused(/valueEnd/, bytes(32), [1], { length: 32, value: [0, wrong] });
    }
    // 2^32 + 32 would become 32.
    refused(/length/, bytes(32), [1], { length: 2 ** 32 + 32 });
    assert.throws(() => chains("text", [1]), TypeError);
    assert.throws(() => chains(bytes(32), 7), TypeError);
  }
});

test("levels still work after WebAssembly's memory has grown", () => {
  const message = bytes(1 << 22);
  equal(digestMany([message]), sha256(message));
  equal(digest64(bytes(640)), Buffer.concat(nodesOf(bytes(640)).map(sha256)));
  const leaves = bytes(64);
  equal(hasher.digest64(leaves.subarray(0, 32), leaves.subarray(32)), sha256(leaves));
});

test("wrong arguments are refused", () => {
  assert.throws(() => digest64(bytes(65)), /65 bytes/);
  assert.throws(() => digest64(bytes(32)), RangeError);
  assert.throws(() => hashInto(bytes(64), bytes(31)), /31 bytes, not 32/);
  for (const wrong of [new Uint32Array(64), new DataView(new ArrayBuffer(64)), "text", undefined]) {
    assert.throws(() => digest64(wrong), TypeError);
    assert.throws(() => digestEqual(wrong, 32), TypeError);
  }
  const level = bytes(6400);
  assert.throws(() => hashInto(level, level.subarray(32, 3232)), /begins inside/);
  assert.throws(() => digestMany([bytes(1), "text"]), /message 1 is not a Uint8Array/);
  assert.throws(() => digestMany([null]), /message 0/);
  for (const length of [0, -1, 3, 2.5, NaN, undefined]) {
    assert.throws(() => digestEqual(bytes(65 * 64), length), RangeError);
  }
  assert.throws(() => digestEqual(bytes(64), "32"), /length of a message is of type string, not/);
  assert.throws(() => digestEqual(bytes(64)), /length of a message is of type undefined, not/);
  assert.throws(() => hashes.sha256Chains(bytes(32), ["3"]), /step 0 is of type string, not/);
  assert.throws(() => hasher.digest64(bytes(32), bytes(31)), RangeError);
  // A trap would leave the level unusable.
  for (const count of [LEVEL + 1, -1, 2 ** 32, 2 ** 32 + 1, 1.5, NaN, undefined, "1"]) {
    assert.throws(() => hashLevel(count), /a level has 0 to 256 nodes/);
  }
  equal(digest64(bytes(64)), sha256(bytes(64)));
});

test("what is not an iterable of messages is refused by every hash", () => {
  for (const name of ["digest", "sha512", "keccak256", "sha3_256"]) {
    const many = hashes[`${name}Many`];
    const notIterable = [Promise.resolve([]), {}, { length: 1, 0: bytes(1) }, 5, null, undefined];
    for (const wrong of [...notIterable, "", "text", bytes(0), bytes(4)]) {
      assert.throws(() => many(wrong), TypeError);
    }
    assert.throws(() => many([bytes(1), [1]]), /message 1 is not a Uint8Array/);
    assert.throws(() => many(Promise.resolve([])), /the messages are a promise, which needs await/);
  }
});

/** Ten bytes that say that they are more or fewer. */
function liar(said) {
  const message = bytes(10);
  for (const name of ["length", "byteLength", "byteOffset"]) {
    Object.defineProperty(message, name, { value: said });
  }
  return message;
}

test("a false length is not believed", () => {
  for (const said of [0, 3, 1000, 2 ** 40, -1, NaN, "10"]) {
    equal(digestMany([liar(said)]), sha256(bytes(10)));
    equal(digestMany([bytes(5), liar(said)]), Buffer.concat([bytes(5), bytes(10)].map(sha256)));
    equal(digestEqual(liar(said), 5), Buffer.concat([bytes(5), bytes(10).subarray(5)].map(sha256)));
    assert.throws(() => digest64(liar(said)), /10 bytes/);
    assert.throws(() => hashes.sha256Chains(liar(said), [1]), /not 10/);
    const honest = Buffer.concat([sha256(bytes(10)).subarray(0, 10)]);
    equal(hashes.sha256Chains(liar(said), [1], { length: 10 }), honest);
  }
  const impostor = new DataView(new ArrayBuffer(64));
  Object.defineProperty(impostor, "BYTES_PER_ELEMENT", { value: 1 });
  assert.throws(() => digestMany([impostor]), TypeError);
});

test("a message that WebAssembly cannot hold is refused, and many are hashed in slices", () => {
  const huge = new Uint8Array(2.5 * 2 ** 30);
  const message = /of 2684354560 bytes .* limit of 1073741824/;
  const refused = (call) => assert.throws(call, { name: "RangeError", message });
  refused(() => digestMany([bytes(1), huge]));
  refused(() => hashes.keccak256Many([huge]));
  refused(() => hashes.sha3_256Equal(huge, huge.length));
  refused(() => hashes.sha512Chains(huge, [], { length: 64 }));
  equal(digestMany([bytes(1)]), sha256(bytes(1)));

  // 40 MiB, of which a slice takes 16.
  const messages = Array.from({ length: 40 }, (_, i) => huge.subarray(i, i + 2 ** 20 + i));
  messages.splice(7, 0, huge.subarray(0, 17 * 2 ** 20), huge.subarray(0, 0));
  equal(digestMany(messages), Buffer.concat(messages.map(sha256)));
  const million = huge.subarray(0, 2 ** 20);
  const equals = digestEqual(huge.subarray(0, 40 * 2 ** 20), 2 ** 20);
  equal(equals, Buffer.concat(Array.from({ length: 40 }, () => sha256(million))));
});

/** A new tree whose nodes have no root yet. */
function newTree(count) {
  const leaf = (i) => tree.LeafNode.fromRoot(bytes(32, i));
  return tree.subtreeFillToContents(Array.from({ length: count }, (_, i) => leaf(i)), 20);
}

/** What a hasher has to compute for the root, by level. */
function computationsOf(root) {
  const { byLevel } = new tree.HashComputationGroup();
  tree.getHashComputations(root, 0, byLevel);
  return byLevel;
}

test("the hasher agrees with the other hashers", () => {
  const methods = (hasher) => {
    const results = { name: undefined };
    results.digest64 = hasher.digest64(bytes(32, 1), bytes(32, 2));
    hasher.digest64Into(bytes(32, 3), bytes(32, 4), (results.digest64Into = new Uint8Array(32)));
    const [left, right] = [5, 6].map((seed) => tree.uint8ArrayToHashObject(bytes(32, seed)));
    hasher.digest64HashObjects(left, right, (results.parent = { ...left }));
    for (const count of [1, 2, 5, 64, 600]) {
      const output = new Uint8Array(64);
      hasher.merkleizeBlocksBytes(bytes(64 * count), 4096, output, 0);
      hasher.merkleizeBlockArray(nodesOf(bytes(64 * count)), count, 4096, output, 32);
      results[`merkleize ${count}`] = output;
    }
    results.digestNLevel = hasher.digestNLevel(bytes(256 * 33), 3).slice();
    for (const count of [1, 2, 255, 256, 257, 2000]) {
      const root = newTree(count);
      hasher.executeHashComputations(computationsOf(root));
      results[`tree ${count}`] = tree.hashObjectToUint8Array(root);
    }
    return results;
  };
  const expected = methods(hashtree);
  assert.deepEqual(methods(asSha256), expected);
  assert.deepEqual(methods(hasher), expected);
});

test("setHasher makes trees use it", () => {
  const expected = newTree(1000).root;
  tree.setHasher(hasher);
  assert.equal(tree.hasher.name, "hashlanes");
  equal(newTree(1000).root, expected);
  const batched = newTree(1000);
  tree.executeHashComputations(computationsOf(batched));
  equal(batched.root, expected);
  assert.deepEqual(Object.keys(hasher).sort(), Object.keys(hashtree).sort());
});
