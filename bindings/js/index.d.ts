/** The number of nodes that are hashed at once. */
export const LEVEL: number;

/**
 * Hashes each 64 bytes of a level of a Merkle tree, and returns the level above.
 *
 * @throws RangeError if the length of `input` is not a multiple of 64.
 */
export function digest64(input: Uint8Array): Uint8Array;

/**
 * Hashes each 64 bytes of `input`, and writes the digests to `output`, which may be the first half
 * of `input`.
 *
 * @throws RangeError if the length of `input` is not a multiple of 64, `output` has not half of it,
 * or `output` begins inside of `input`.
 */
export function hashInto(input: Uint8Array, output: Uint8Array): void;

/**
 * Hashes each message, and returns the digests end to end, 32 bytes each.
 *
 * @throws TypeError naming the index of a message that is not a `Uint8Array`.
 */
export function digestMany(messages: Iterable<Uint8Array>): Uint8Array;

/**
 * Hashes each `length` bytes of a buffer, and returns the digests end to end.
 *
 * @throws RangeError if the buffer cannot be cut into messages of this length.
 */
export function digestEqual(buffer: Uint8Array, length: number): Uint8Array;

/** The name of the kernels: `simd128`. */
export function backend(): string;
