// Compiled, not run: the declarations permit what users write, and nothing else.
import { executeHashComputations, setHasher } from "@chainsafe/persistent-merkle-tree";

import { LEVEL, backend, digest64, digestEqual, digestMany, hashInto } from "@hashlanes/sha256";
import { hasher } from "@hashlanes/sha256/hasher";

setHasher(hasher);
executeHashComputations([]);

const level = new Uint8Array(64 * LEVEL);
const parents: Uint8Array = digest64(level);
const nothing: void = hashInto(level, parents);
const digests: Uint8Array[] = [digestMany([level, parents]), digestEqual(level, 32)];
const name: string = backend();
export { digests, name, nothing };

// @ts-expect-error: texts are no messages
digestMany(["text"]);
// @ts-expect-error: the length is missing
digestEqual(level);
// @ts-expect-error: the output is missing
hashInto(level);
