// Writes multiproofs.json. Copy this file to an empty folder; there, npm i
// @chainsafe/persistent-merkle-tree@1.3.1 @chainsafe/ssz@1.9.0, and node generate.mjs [CASES].

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import {
  LeafNode, ProofType, Tree, createNodeFromProof, createProof, subtreeFillToContents,
} from '@chainsafe/persistent-merkle-tree';
import * as ssz from '@chainsafe/ssz';

const hex = bytes => Buffer.from(bytes).toString('hex');
const chunk = i => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(i));
  return createHash('sha256').update(bytes).digest();
};
// A generator of numbers that is the same on every run.
let state = 1n;
const random = below => {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(below));
};

// Indices of which none is below another, in any order, that `exists` accepts.
const choose = (count, candidate) => {
  const chosen = [];
  const above = (a, b) => b.toString(2).startsWith(a.toString(2));
  for (let tries = 0; chosen.length < count && tries < 50; tries++) {
    const index = candidate();
    if (!chosen.some(other => above(other, index) || above(index, other))) chosen.push(index);
  }
  return chosen;
};

const cases = [];
const add = (kind, size, node, indices) => {
  const proof = createProof(node, { type: ProofType.multi, gindices: indices });
  if (hex(createNodeFromProof(proof).root) !== hex(node.root)) throw new Error('their own root');
  const tree = new Tree(node);
  cases.push({
    kind,
    size,
    root: hex(node.root),
    indices: indices.map(String),
    nodes: indices.map(index => hex(tree.getRoot(index))),
    proof: proof.witnesses.map(hex),
  });
};

// The state of the test: a container with a list, a vector, and a container.
const Inner = new ssz.ContainerType({
  a: new ssz.UintNumberType(8),
  b: new ssz.ByteVectorType(48),
});
const State = new ssz.ContainerType({
  slot: new ssz.UintNumberType(8),
  balances: new ssz.ListUintNum64Type(2 ** 40),
  roots: new ssz.VectorCompositeType(new ssz.ByteVectorType(32), 6),
  inner: Inner,
  flag: new ssz.BooleanType(),
});

const total = Number(process.argv[2] ?? 36);
for (let i = 0; i < total; i++) {
  if (i % 3 < 2) {
    const depth = 1 + random(7);
    const size = 1 + random(2 ** depth);
    const node = subtreeFillToContents(
      [...Array(size).keys()].map(i => LeafNode.fromRoot(chunk(i))), depth);
    const candidate = () => {
      const level = random(depth + 1);
      return BigInt(2 ** level + random(2 ** level));
    };
    add('chunks ' + depth, size, node, choose(1 + random(5), candidate));
  } else {
    const size = 1 + random(60);
    const view = State.toView({
      slot: 1000 + i,
      balances: [...Array(size).keys()].map(j => 32e9 + j),
      roots: [...Array(6).keys()].map(chunk),
      inner: { a: 7, b: Buffer.alloc(48, 9) },
      flag: true,
    });
    const chunks = Math.ceil(size / 4);
    const candidate = () => {
      switch (random(6)) {
        case 0: return BigInt(8 + random(8));
        case 1: return 10n * 8n + BigInt(random(8));
        case 2: return 11n * 2n + BigInt(random(2));
        case 3: return 9n * 2n + 1n;
        default: {
          const above = BigInt(random(40));
          const level = above > 38n ? 38n : above;
          return (18n << level) + BigInt(level > 20n ? random(chunks) >> Number(38n - level) : 0);
        }
      }
    };
    add('state ' + (1000 + i), size, view.node, choose(1 + random(5), candidate));
  }
}
const rows = cases.map(test => '    ' + JSON.stringify(test)).join(',\n');
writeFileSync('multiproofs.json',
  `{\n  "package": "@chainsafe/persistent-merkle-tree 1.3.1",\n  "cases": [\n${rows}\n  ]\n}\n`);
