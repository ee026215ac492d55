// Prints the speed of this package beside that of as-sha256 and hashtree, in one run.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

import * as tree from "@chainsafe/persistent-merkle-tree";
import { hasher as asSha256 } from "@chainsafe/persistent-merkle-tree/hasher/as-sha256";
import { hasher as hashtree } from "@chainsafe/persistent-merkle-tree/hasher/hashtree";

import { digestMany, sha3_256Many, sha512Many } from "@hashlanes/hashes";
import { hasher as ours } from "@hashlanes/hashes/hasher";

const ROUNDS = 25;
const hashers = [asSha256, ours, hashtree];

/** The least CPU time of a call of each body, in nanoseconds. Takes turns, so that other programs
 * disturb all alike. */
function nanoseconds(bodies, prepare) {
  const best = bodies.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    bodies.forEach((body, i) => {
      const argument = prepare?.();
      const begin = process.cpuUsage();
      body(argument);
      const { user, system } = process.cpuUsage(begin);
      best[i] = Math.min(best[i], 1000 * (user + system));
    });
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
  const bodies = hashers.map(({ hashInto }) => () => {
    for (let call = 0; call < calls; call++) hashInto(level, output);
  });
  const times = nanoseconds(bodies).map((time) => time / calls / count);
  row(`hashInto, ${count} node${count === 1 ? "" : "s"}`, times);
}

const leaf = (_, i) => tree.LeafNode.fromRoot(new Uint8Array(32).fill(i));
const leaves = Array.from({ length: 1 << 16 }, leaf);
const newTree = () => {
  const { byLevel } = new tree.HashComputationGroup();
  tree.getHashComputations(tree.subtreeFillToContents(leaves, 16), 0, byLevel);
  return byLevel;
};
const bodies = hashers.map((hasher) => (levels) => hasher.executeHashComputations(levels));
const times = nanoseconds(bodies, newTree).map((time) => time / leaves.length);
row("a tree of 65,536 leaves", times);

console.log(`\n| ns per message | node:crypto | hashlanes |\n|---|---|---|`);
const manys = { sha256: digestMany, sha512: sha512Many, "sha3-256": sha3_256Many };
for (const [name, many] of Object.entries(manys)) {
  for (const length of [32, 64, 128, 256, 512, 1024, 4096]) {
    const messages = Array.from({ length: 2000 }, (_, i) => new Uint8Array(length).fill(i));
    const loop = () => messages.map((message) => createHash(name).update(message).digest());
    if (Buffer.compare(Buffer.concat(loop()), many(messages)) !== 0) throw new Error(name);
    row(`${name}, ${length} bytes`, nanoseconds([loop, () => many(messages)]).map((t) => t / 2000));
  }
}
