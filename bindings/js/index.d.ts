/** The number of nodes that are hashed at once. */
export const LEVEL: number;

/** The maximum length of a message, and of the messages of chains together: 1 GiB. */
export const MAX_BYTES: number;

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
 * Hashes each message with SHA-256, and returns the digests end to end, 32 bytes each.
 *
 * The messages are copied to WebAssembly's memory in slices, of 16 MiB or one longer message.
 *
 * @throws TypeError if `messages` is not an iterable, or naming the index of a message that is not
 * a `Uint8Array`.
 * @throws RangeError if a message is longer than {@link MAX_BYTES}, or WebAssembly finds no memory.
 */
export function digestMany(messages: Iterable<Uint8Array>): Uint8Array;

/** {@link digestMany} with SHA-512, 64 bytes each. */
export function sha512Many(messages: Iterable<Uint8Array>): Uint8Array;

/** {@link digestMany} with Keccak-256, Ethereum's hash, which is not SHA3-256. */
export function keccak256Many(messages: Iterable<Uint8Array>): Uint8Array;

/** {@link digestMany} with SHA3-256. */
export function sha3_256Many(messages: Iterable<Uint8Array>): Uint8Array;

/**
 * Hashes each `length` bytes of a buffer with SHA-256, and returns the digests end to end.
 *
 * @throws RangeError if the buffer cannot be cut into messages of this length, or that exceeds
 * {@link MAX_BYTES}.
 */
export function digestEqual(buffer: Uint8Array, length: number): Uint8Array;

/** {@link digestEqual} with SHA-512, 64 bytes each. */
export function sha512Equal(buffer: Uint8Array, length: number): Uint8Array;

/** {@link digestEqual} with Keccak-256, Ethereum's hash, which is not SHA3-256. */
export function keccak256Equal(buffer: Uint8Array, length: number): Uint8Array;

/** {@link digestEqual} with SHA3-256. */
export function sha3_256Equal(buffer: Uint8Array, length: number): Uint8Array;

/** Where the messages of chains have what changes from step to step. */
export interface ChainLayout {
  /** The bytes of a message; by default those of a digest. */
  length?: number;
  /** The start and the end of the value, which becomes the beginning of the digest; by default the
   * whole message. */
  value?: [start: number, end: number];
  /** The start and the end of a counter of at most four bytes, the most significant first, to which
   * each step adds one. */
  counter?: [start: number, end: number];
}

/**
 * Hashes each message with SHA-256 as often as its step count says, each time with the digest in
 * the place of the value. Returns the messages after the last step, end to end.
 *
 * A message has at most 55 bytes, and a value 32.
 *
 * @throws RangeError if the layout, the messages and the steps do not fit together, or the messages
 * exceed {@link MAX_BYTES}.
 */
export function sha256Chains(
  messages: Uint8Array,
  steps: Iterable<number>,
  layout?: ChainLayout,
): Uint8Array;

/** {@link sha256Chains} with SHA-512: a message has at most 111 bytes, and a value 64. */
export function sha512Chains(
  messages: Uint8Array,
  steps: Iterable<number>,
  layout?: ChainLayout,
): Uint8Array;

/** {@link sha256Chains} with SHAKE256: a message has at most 135 bytes. */
export function shake256Chains(
  messages: Uint8Array,
  steps: Iterable<number>,
  layout?: ChainLayout,
): Uint8Array;

/** The name of the kernels: `simd128`. */
export function backend(): string;
