/** SLH-DSA, the hash-based signature of FIPS 205. */
import { checkIterable, isBytes, view } from "./bytes.js";
import { SlhDsaKey, initSync, slhDsaLengths, slhDsaVerifyMany } from "./pkg/slh-dsa.js";
import { wasm } from "./pkg/slh-dsa.wasm.js";

const { memory } = initSync({ module: Uint8Array.from(atob(wasm), (char) => char.charCodeAt(0)) });

const MAX_CONTEXT = 255;

/** The lengths in bytes of a parameter set. */
function lengthsOf(parameterSet) {
  if (typeof parameterSet !== "string") {
    throw new TypeError("the parameter set is not a string, such as \"SLH-DSA-SHA2-128s\"");
  }
  let lengths;
  try {
    lengths = slhDsaLengths(parameterSet);
  } catch (error) {
    throw new RangeError(error.message);
  }
  const [seed, signingKey, verifyingKey, signature] = lengths;
  return { seed, signingKey, verifyingKey, signature };
}

/** A view of the value, if it is an array of bytes. */
function bytes(value, name) {
  if (!isBytes(value)) {
    throw new TypeError(`${name} is not a Uint8Array`);
  }
  return view(value);
}

function bytesOf(length, value, name) {
  const given = bytes(value, name);
  if (given.length !== length) {
    throw new RangeError(`${name} has ${given.length} bytes, not ${length}`);
  }
  return given;
}

function checkedContext(options) {
  const context = bytes(options.context ?? new Uint8Array(0), "the context");
  if (context.length > MAX_CONTEXT) {
    throw new RangeError(`the context has ${context.length} bytes, more than ${MAX_CONTEXT}`);
  }
  return context;
}

function random(length) {
  if (typeof globalThis.crypto?.getRandomValues !== "function") {
    throw new Error("there is no crypto.getRandomValues here, which random bytes come from");
  }
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
}

/** Joins arrays of bytes. The caller erases the result if it is secret. */
function join(parts) {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Calls `make`, whose errors are about the values of arguments. */
function made(make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      throw error;
    }
    throw new RangeError(error.message);
  }
}

/** A key that signs. Its bytes are in WebAssembly's memory, until `erase`. */
export class SigningKey {
  #key;
  #parameterSet;
  #verifyingKey;
  #lengths;

  constructor(key, parameterSet, lengths) {
    if (!(key instanceof SlhDsaKey)) {
      throw new TypeError("use SigningKey.generate, fromSeeds or fromBytes");
    }
    this.#key = key;
    this.#lengths = lengths;
    this.#verifyingKey = this.#view().slice(lengths.signingKey - lengths.verifyingKey);
    this.#parameterSet = parameterSet;
  }

  static generate(parameterSet) {
    const lengths = lengthsOf(parameterSet);
    return SigningKey.#ofSeeds(parameterSet, lengths, random(3 * lengths.seed));
  }

  static fromSeeds(parameterSet, skSeed, skPrf, pkSeed) {
    const lengths = lengthsOf(parameterSet);
    const seeds = Object.entries({ skSeed, skPrf, pkSeed });
    const parts = seeds.map(([name, seed]) => bytesOf(lengths.seed, seed, name));
    return SigningKey.#ofSeeds(parameterSet, lengths, join(parts));
  }

  /** Erases the seeds. */
  static #ofSeeds(parameterSet, lengths, seeds) {
    try {
      const key = made(() => SlhDsaKey.fromSeeds(parameterSet, seeds));
      return new SigningKey(key, parameterSet, lengths);
    } finally {
      seeds.fill(0);
    }
  }

  static fromBytes(parameterSet, key) {
    const lengths = lengthsOf(parameterSet);
    const given = bytesOf(lengths.signingKey, key, "the key");
    const read = made(() => SlhDsaKey.fromBytes(parameterSet, given));
    return new SigningKey(read, parameterSet, lengths);
  }

  /** The bytes in WebAssembly's memory, which may move with the next call. */
  #view() {
    if (this.#key === undefined) {
      throw new Error("the key was erased");
    }
    return new Uint8Array(memory.buffer, this.#key.address(), this.#lengths.signingKey);
  }

  get parameterSet() {
    return this.#parameterSet;
  }

  get verifyingKey() {
    return this.#verifyingKey.slice();
  }

  sign(message, options = {}) {
    const given = bytes(message, "the message");
    const context = checkedContext(options);
    this.#view();
    const optRand = options.deterministic ? undefined : random(this.#lengths.seed);
    return made(() => this.#key.sign(given, context, optRand));
  }

  toBytes() {
    return this.#view().slice();
  }

  erase() {
    this.#key?.free();
    this.#key = undefined;
  }
}

export function verifyMany(parameterSet, items, options = {}) {
  const lengths = lengthsOf(parameterSet);
  const context = checkedContext(options);
  checkIterable(items, "the items");
  const list = Array.from(items, (item, index) => ({
    key: bytesOf(lengths.verifyingKey, item?.verifyingKey, `the verifying key of item ${index}`),
    message: bytes(item.message, `the message of item ${index}`),
    signature: bytes(item.signature, `the signature of item ${index}`),
  }));
  const [keys, messages, signatures] =
    ["key", "message", "signature"].map((name) => list.map((item) => item[name]));
  const lengthsIn = (parts) => Uint32Array.from(parts, ({ length }) => length);
  const wrong = made(() => slhDsaVerifyMany(
    parameterSet,
    join(keys),
    join(messages),
    lengthsIn(messages),
    join(signatures),
    lengthsIn(signatures),
    context,
  ));
  return Array.from(wrong);
}

export function verify(parameterSet, verifyingKey, message, signature, options = {}) {
  const lengths = lengthsOf(parameterSet);
  bytesOf(lengths.verifyingKey, verifyingKey, "the verifying key");
  bytes(message, "the message");
  bytes(signature, "the signature");
  return verifyMany(parameterSet, [{ verifyingKey, message, signature }], options).length === 0;
}
