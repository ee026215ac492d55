/** Hashes of many messages, in the lanes of WebAssembly's vector registers. */
import * as joined from "./pkg/hashes.js";
import { wasm } from "./pkg/hashes.wasm.js";

const { memory } = joined.initSync({ module: Uint8Array.from(atob(wasm), (char) => char.charCodeAt(0)) });

/** The number of nodes that are hashed at once. */
export const LEVEL = 256;

const level = new joined.Level(LEVEL);
const nodesAt = level.nodes();
const digestsAt = level.digests();
let views;

/** Views of the nodes and digests in WebAssembly's memory, until that grows. */
export function levelViews() {
  if (views?.nodes.buffer !== memory.buffer) {
    views = {
      nodes: new Uint8Array(memory.buffer, nodesAt, LEVEL * 64),
      digests: new Uint8Array(memory.buffer, digestsAt, LEVEL * 32),
      nodeWords: new Int32Array(memory.buffer, nodesAt, LEVEL * 16),
      digestWords: new Int32Array(memory.buffer, digestsAt, LEVEL * 8),
    };
  }
  return views;
}

/**
 * Hashes the first `count` nodes of the level, at most LEVEL. Returns the views, because memory may
 * grow.
 */
export function hashLevel(count) {
  if (!(Number.isInteger(count) && 0 <= count && count <= LEVEL)) {
    throw new RangeError(`a level has 0 to ${LEVEL} nodes, not ${count}`);
  }
  level.hash(count);
  return levelViews();
}

/** Whether a value is an array of bytes. Those of another realm are no instances of Uint8Array. */
const isBytes = (value) => ArrayBuffer.isView(value) && value.BYTES_PER_ELEMENT === 1;

/** Hashes each 64 bytes of `input`, and writes the digests to `output`, which may be its start. */
export function hashInto(input, output) {
  if (!isBytes(input) || !isBytes(output)) {
    throw new TypeError("the input and the output must be of type Uint8Array");
  }
  if (input.length % 64 !== 0) {
    throw new RangeError(`the input has ${input.length} bytes, which is not a multiple of 64`);
  }
  if (output.length * 2 !== input.length) {
    throw new RangeError(`the output has ${output.length} bytes, not ${input.length / 2}`);
  }
  const distance = output.byteOffset - input.byteOffset;
  if (input.buffer === output.buffer && distance > 0 && distance < input.length) {
    throw new RangeError("the output begins inside the input");
  }
  for (let at = 0; at < input.length; at += LEVEL * 64) {
    const part = input.length <= LEVEL * 64 ? input : input.subarray(at, at + LEVEL * 64);
    levelViews().nodes.set(part);
    const { digests } = hashLevel(part.length / 64);
    const half = part.length / 2;
    output.set(half === digests.length ? digests : digests.subarray(0, half), at / 2);
  }
}

/** Hashes each 64 bytes of a level of a Merkle tree, and returns the level above. */
export function digest64(input) {
  const output = new Uint8Array(input.length / 2);
  hashInto(input, output);
  return output;
}

/** The function of many messages for a function of those that lie end to end. */
const many = (hashJoined) => (messages) => {
  const list = Array.from(messages, (message, index) => {
    if (!isBytes(message)) {
      throw new TypeError(`message ${index} is not a Uint8Array`);
    }
    return message;
  });
  const lengths = Uint32Array.from(list, ({ length }) => length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const message of list) {
    bytes.set(message, at);
    at += message.length;
  }
  return hashJoined(bytes, lengths);
};

/** The function of messages of one length for a function of those that lie end to end. */
const equal = (hashJoined) => (buffer, length) => {
  if (!isBytes(buffer)) {
    throw new TypeError("the buffer must be of type Uint8Array");
  }
  if (!(length > 0) || !Number.isInteger(length) || buffer.length % length !== 0) {
    throw new RangeError(`${buffer.length} bytes cannot be cut into messages of ${length} bytes`);
  }
  return hashJoined(buffer, new Uint32Array(buffer.length / length).fill(length));
};

/** Hash each message, and return the digests end to end. */
export const digestMany = many(joined.digestMany);
export const sha512Many = many(joined.sha512Many);
export const keccak256Many = many(joined.keccak256Many);
export const sha3_256Many = many(joined.sha3_256Many);

/** Hash each `length` bytes of a buffer, and return the digests end to end. */
export const digestEqual = equal(joined.digestMany);
export const sha512Equal = equal(joined.sha512Many);
export const keccak256Equal = equal(joined.keccak256Many);
export const sha3_256Equal = equal(joined.sha3_256Many);

/** A number that WebAssembly would not wrap. */
function integer(value, name) {
  if (!(Number.isInteger(value) && 0 <= value && value < 2 ** 32)) {
    throw new RangeError(`${name} is ${value}, not an integer of 32 bits`);
  }
  return value;
}

/** The function of chains for a method of `joined.Chains`. */
const chains = (method, digestLength) => (messages, steps, layout = {}) => {
  if (!isBytes(messages)) {
    throw new TypeError("the messages must be of type Uint8Array");
  }
  if (typeof steps?.[Symbol.iterator] !== "function") {
    throw new TypeError("the steps are not iterable");
  }
  const { length = digestLength, value = [0, length], counter = [0, 0] } = layout;
  const [valueStart, valueEnd] = value;
  const [counterStart, counterEnd] = counter;
  const numbers = { length, valueStart, valueEnd, counterStart, counterEnd };
  Object.entries(numbers).forEach(([name, number]) => integer(number, name));
  const checked = Uint32Array.from(steps, (step, index) => integer(step, `step ${index}`));
  let chains;
  try {
    chains = new joined.Chains(...Object.values(numbers));
    return chains[method](messages, checked);
  } catch (error) {
    throw new RangeError(error.message);
  } finally {
    chains?.free();
  }
};

/** Hash each message as often as its step count says, each time with the digest as its value. */
export const sha256Chains = chains("sha256", 32);
export const sha512Chains = chains("sha512", 64);
export const shake256Chains = chains("shake256", 32);

export const { backend } = joined;
