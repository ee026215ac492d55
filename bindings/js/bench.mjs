// Prints the speed of this package beside that of as-sha256 and hashtree, in one run.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

import * as tree from "@chainsafe/persistent-merkle-tree";
import { hasher as asSha256 } from "@chainsafe/persistent-merkle-tree/hasher/as-sha256";
import { hasher as hashtree } from "@chainsafe/persistent-merkle-tree/hasher/hashtree";

import { hasher as ours } from "@hashlanes/sha256/hasher";

const ROUNDS = 25;
const hashers = [asSha256, ours, hashtree];

/** The best time of a call of `body(prepare())`, in nanoseconds. */
function nanoseconds(body, prepare) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const argument = prepare?.();
    const begin = process.hrtime.bigint();
    body(argument);
    best = Math.min(best, Number(process.hrtime.bigint() - begin));
  }
  return best;
}

function row(name, times) {
  console.log(`| ${[name, ...times.map((time) => time.toFixed(0))].join(" | ")} |`);
}

const version = (name) => {
  const path = new URL(`node_modules/@chainsafe/${name}/package.json`, import.meta.url);
  return `${name} ${JSON.parse(readFileSync(path)).version}`;
};
console.log(`Node.js ${process.version}, ${cpus()[0].model}`);
console.log(`${["as-sha256", "hashtree", "persistent-merkle-tree"].map(version).join(", ")}\n`);
console.log(`| ns per node | ${hashers.map(({ name }) => name).join(" | ")} |\n|---|---|---|---|`);

for (const count of [1, 4, 16, 256, 16384]) {
  const level = new Uint8Array(64 * count).map((_, i) => i % 251);
  const output = new Uint8Array(32 * count);
  const calls = Math.ceil(20_000 / count);
  const times = hashers.map(({ hashInto }) => {
    const time = nanoseconds(() => {
      for (let call = 0; call < calls; call++) hashInto(level, output);
    });
    return time / calls / count;
  });
  row(`hashInto, ${count} nodes`, times);
}

const leaves = Array.from({ length: 1 << 16 }, (_, i) => tree.LeafNode.fromRoot(new Uint8Array(32).fill(i)));
const times = hashers.map((hasher) => {
  const newTree = () => {
    const { byLevel } = new tree.HashComputationGroup();
    tree.getHashComputations(tree.subtreeFillToContents(leaves, 16), 0, byLevel);
    return byLevel;
  };
  return nanoseconds((computations) => hasher.executeHashComputations(computations), newTree) / leaves.length;
});
row("a tree of 65,536 leaves", times);
