/** A hasher for `setHasher` of @chainsafe/persistent-merkle-tree. */
import {
  doDigestNLevel,
  doMerkleizeBlockArray,
  doMerkleizeBlocksBytes,
} from "@chainsafe/persistent-merkle-tree";

import { LEVEL, hashInto, hashLevel, levelViews } from "./index.js";

const buffer = new Uint8Array(LEVEL * 64);

/** Writes a node's 32 bytes, which it keeps as eight words. */
function store({ h0, h1, h2, h3, h4, h5, h6, h7 }, words, at) {
  words[at] = h0;
  words[at + 1] = h1;
  words[at + 2] = h2;
  words[at + 3] = h3;
  words[at + 4] = h4;
  words[at + 5] = h5;
  words[at + 6] = h6;
  words[at + 7] = h7;
}

function load(words, at, node) {
  node.h0 = words[at];
  node.h1 = words[at + 1];
  node.h2 = words[at + 2];
  node.h3 = words[at + 3];
  node.h4 = words[at + 4];
  node.h5 = words[at + 5];
  node.h6 = words[at + 6];
  node.h7 = words[at + 7];
}

function digest64Into(left, right, output) {
  if (left.length !== 32 || right.length !== 32 || output.length !== 32) {
    throw new RangeError("nodes have 32 bytes");
  }
  const { nodes } = levelViews();
  nodes.set(left);
  nodes.set(right, 32);
  output.set(hashLevel(1).digests.subarray(0, 32));
}

/** Hashes the first nodes of the level for these parents. */
function finish(parents, count) {
  const { digestWords } = hashLevel(count);
  for (let i = 0; i < count; i++) {
    load(digestWords, i * 8, parents[i]);
    parents[i] = undefined;
  }
}

const parents = new Array(LEVEL);

export const hasher = {
  name: "hashlanes",
  hashInto,
  digest64(left, right) {
    const output = new Uint8Array(32);
    digest64Into(left, right, output);
    return output;
  },
  digest64Into,
  digest64HashObjects(left, right, parent) {
    const { nodeWords } = levelViews();
    store(left, nodeWords, 0);
    store(right, nodeWords, 8);
    load(hashLevel(1).digestWords, 0, parent);
  },
  merkleizeBlocksBytes(blocks, padFor, output, offset) {
    doMerkleizeBlocksBytes(blocks, padFor, output, offset, hashInto);
  },
  merkleizeBlockArray(blocks, limit, padFor, output, offset) {
    doMerkleizeBlockArray(blocks, limit, padFor, output, offset, hashInto, buffer);
  },
  digestNLevel(data, levels) {
    return doDigestNLevel(data, levels, hashInto);
  },
  executeHashComputations(levels) {
    for (let depth = levels.length - 1; depth >= 0; depth--) {
      let count = 0;
      let { nodeWords } = levelViews();
      for (const { src0, src1, dest } of levels[depth]) {
        store(src0, nodeWords, count * 16);
        store(src1, nodeWords, count * 16 + 8);
        parents[count] = dest;
        count += 1;
        if (count === LEVEL) {
          finish(parents, count);
          ({ nodeWords } = levelViews());
          count = 0;
        }
      }
      finish(parents, count);
    }
  },
};
