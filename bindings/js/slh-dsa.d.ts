/** A parameter set of FIPS 205. */
export type ParameterSet =
  `SLH-DSA-${"SHA2" | "SHAKE"}-${"128" | "192" | "256"}${"s" | "f"}`;

export interface SignatureOptions {
  /** Keeps the signatures of one application from being valid in another: at most 255 bytes, by
   * default none. */
  context?: Uint8Array;
}

export interface SigningOptions extends SignatureOptions {
  /** Equal messages have equal signatures. By default they are hedged with random bytes, because a
   * hardware fault during a deterministic signature may give the key away. */
  deterministic?: boolean;
}

/**
 * A key that signs.
 *
 * The secret part is in WebAssembly's memory until {@link SigningKey.erase}. An object that is
 * dropped without it is erased when the garbage collector finds it, which may be never.
 */
export class SigningKey {
  private constructor();

  /**
   * Generates a key with `crypto.getRandomValues`.
   *
   * @throws RangeError if FIPS 205 has no parameter set of this name.
   */
  static generate(parameterSet: ParameterSet): SigningKey;

  /**
   * Makes the key of three random seeds of n bytes: SK.seed, SK.prf and PK.seed
   * (`slh_keygen_internal`, FIPS 205 §9.1).
   *
   * @throws RangeError if a seed has another length.
   */
  static fromSeeds(
    parameterSet: ParameterSet,
    skSeed: Uint8Array,
    skPrf: Uint8Array,
    pkSeed: Uint8Array,
  ): SigningKey;

  /**
   * Reads a key that {@link SigningKey.toBytes} wrote. Computes its root again, which takes as long
   * as {@link SigningKey.generate}.
   *
   * @throws RangeError if the key has another length or another root.
   */
  static fromBytes(parameterSet: ParameterSet, key: Uint8Array): SigningKey;

  get parameterSet(): ParameterSet;

  /** A copy of PK.seed and PK.root, which are public. */
  get verifyingKey(): Uint8Array;

  /**
   * Signs a message (FIPS 205 §10.2.1).
   *
   * @throws RangeError if the context is longer than 255 bytes, Error if the key was erased.
   */
  sign(message: Uint8Array, options?: SigningOptions): Uint8Array;

  /** A copy of SK.seed, SK.prf, PK.seed and PK.root. Call `fill(0)` when you no longer need it. */
  toBytes(): Uint8Array;

  /** Erases the key from WebAssembly's memory. */
  erase(): void;
}

/**
 * Whether a signature is valid. One of another length is not.
 *
 * @throws RangeError if the verifying key has another length, or the context more than 255 bytes.
 */
export function verify(
  parameterSet: ParameterSet,
  verifyingKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  options?: SignatureOptions,
): boolean;

/** A signature, with the key and the message that it belongs to. */
export interface SignedMessage {
  verifyingKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}

/**
 * Verifies many signatures, whose hashes share the lanes. Returns the indices of those that are not
 * valid: an empty array if all are.
 *
 * @throws RangeError if a verifying key has another length, or the context more than 255 bytes.
 * TypeError names the item that has something else than a `Uint8Array`.
 */
export function verifyMany(
  parameterSet: ParameterSet,
  items: Iterable<SignedMessage>,
  options?: SignatureOptions,
): number[];
