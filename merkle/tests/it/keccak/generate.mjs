// Writes the vectors of this folder: npm i @openzeppelin/merkle-tree@1.0.8
// @fairdatasociety/bmt-js@2.1.0, then node generate.mjs.

import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';

const require = createRequire(process.cwd() + '/');
const { StandardMerkleTree, SimpleMerkleTree } = require('@openzeppelin/merkle-tree');
const { makeChunk } = require('@fairdatasociety/bmt-js');

const address = i => '0x' + ((i * 37) % 256).toString(16).padStart(2, '0').repeat(20);
const value = i => [address(i), String(1000 * i + 7)];
const simple = ([address]) => '0x' + 'ab'.repeat(31) + address.slice(-2);
const encoding = ['address', 'uint256'];
const range = n => [...Array(n).keys()];
const hex = bytes => Buffer.from(bytes).toString('hex');
const bare = text => text.slice(2);

const trees = [];
for (const kind of ['standard', 'simple'])
  for (const sortLeaves of [true, false])
    for (const n of kind === 'standard' && sortLeaves ? [1, 2, 3, 6, 11] : [1, 6]) {
      const values = range(n).map(value);
      const standard = StandardMerkleTree.of(values, encoding, { sortLeaves });
      const tree =
        kind === 'standard'
          ? standard
          : SimpleMerkleTree.of(values.map(simple), { sortLeaves });
      const dump = tree.dump();
      const sets = [[], [0], range(n), range(n).filter(i => i % 3 !== 1), [n - 1, 0]];
      trees.push({
        kind,
        sortLeaves,
        tree: dump.tree.map(bare),
        treeIndex: dump.values.map(v => v.treeIndex),
        proofs: n > 6 ? [] : range(n).map(i => tree.getProof(i).map(bare)),
        multiproofs: [...new Set(sets.map(s => JSON.stringify([...new Set(s)])))].map(JSON.parse).map(indices => {
          const { leaves, proof, proofFlags } = tree.getMultiProof(indices);
          const hashes = leaves.map(leaf => bare(tree.leafHash(leaf)));
          return { indices, leaves: hashes, proof: proof.map(bare), proofFlags };
        }),
      });
    }
const rows = trees.map(tree => '    ' + JSON.stringify(tree)).join(',\n');
writeFileSync('openzeppelin.json', `{\n  "package": "@openzeppelin/merkle-tree 1.0.8",\n  "trees": [\n${rows}\n  ]\n}\n`);

const chunks = [];
for (const [length, span] of [[0], [1], [31], [32], [33], [1000], [4095], [4096], [4096, 524288], [64, 8192]].map(([l, s]) => [l, s ?? l])) {
  const payload = Uint8Array.from(range(length).map(i => (i * 7 + length) % 251));
  const chunk = makeChunk(payload, { startingSpanValue: span });
  const segments = [0, 1, 30, 127];
  chunks.push({
    length,
    span,
    address: hex(chunk.address()),
    proofs: [0, 33, 4096].includes(length) ? segments.map(index => ({ index, nodes: chunk.inclusionProof(index).map(hex) })) : [],
  });
}
const lines = chunks.map(chunk => '    ' + JSON.stringify(chunk)).join(',\n');
writeFileSync('swarm.json', `{\n  "package": "@fairdatasociety/bmt-js 2.1.0",\n  "chunks": [\n${lines}\n  ]\n}\n`);
