// Compiled, not run: the declarations permit what users write, and nothing else.
import { executeHashComputations, setHasher } from "@chainsafe/persistent-merkle-tree";

import * as hashes from "@hashlanes/hashes";
import { LEVEL, backend, digest64, digestEqual, digestMany, hashInto } from "@hashlanes/hashes";
import { hasher } from "@hashlanes/hashes/hasher";
import { SigningKey, verify, verifyMany } from "@hashlanes/hashes/slh-dsa";

setHasher(hasher);
executeHashComputations([]);

const level = new Uint8Array(64 * LEVEL);
const parents: Uint8Array = digest64(level);
const nothing: void = hashInto(level, parents);
const digests: Uint8Array[] = [digestMany([level, parents]), digestEqual(level, 32)];
const others: Uint8Array[] = [
  hashes.keccak256Many([level]),
  hashes.sha3_256Equal(level, 32),
  hashes.sha512Many(new Set([level])),
  hashes.sha256Chains(level, [1, 2]),
  hashes.shake256Chains(level, new Uint32Array(2), { length: 32, value: [0, 16], counter: [16, 20] }),
];
const name: string = backend();
export { digests, name, nothing, others };

const key: SigningKey = SigningKey.generate("SLH-DSA-SHAKE-192s");
const signature: Uint8Array = key.sign(level, { context: parents, deterministic: true });
const { parameterSet, verifyingKey } = key;
const isValid: boolean = verify(parameterSet, verifyingKey, level, signature, { context: parents });
const wrong: number[] = verifyMany(parameterSet, [{ verifyingKey, message: level, signature }]);
export { isValid, wrong };

// @ts-expect-error: FIPS 205 has no such set
SigningKey.generate("SLH-DSA-SHA2-128");
// @ts-expect-error: keys are not constructed
new SigningKey();
// @ts-expect-error: verification is not deterministic or hedged
verify(parameterSet, verifyingKey, level, signature, { deterministic: true });
// @ts-expect-error: texts are no messages
digestMany(["text"]);
// @ts-expect-error: the length is missing
digestEqual(level);
// @ts-expect-error: the output is missing
hashInto(level);
// @ts-expect-error: the steps are missing
hashes.sha512Chains(level);
