import type { Hasher } from "@chainsafe/persistent-merkle-tree";

/** For `setHasher` of @chainsafe/persistent-merkle-tree. */
export const hasher: Hasher;
