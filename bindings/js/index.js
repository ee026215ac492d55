/** Hashes of many messages, in the lanes of WebAssembly's vector registers. */
import { buffer, byteOffset, checkIterable, isBytes, length, set, view } from "./bytes.js";
import * as joined from "./pkg/hashes.js";
import { wasm } from "./pkg/hashes.wasm.js";

const module = Uint8Array.from(atob(wasm), (char) => char.charCodeAt(0));
const { memory } = joined.initSync({ module });

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

/** Hashes each 64 bytes of `input`, and writes the digests to `output`, which may be its start. */
export function hashInto(input, output) {
  if (!isBytes(input) || !isBytes(output)) {
    throw new TypeError("the input and the output must be of type Uint8Array");
  }
  const [inputLength, outputLength] = [length.call(input), length.call(output)];
  if (inputLength % 64 !== 0) {
    throw new RangeError(`the input has ${inputLength} bytes, which is not a multiple of 64`);
  }
  if (outputLength * 2 !== inputLength) {
    throw new RangeError(`the output has ${outputLength} bytes, not ${inputLength / 2}`);
  }
  const distance = byteOffset.call(output) - byteOffset.call(input);
  if (buffer.call(input) === buffer.call(output) && distance > 0 && distance < inputLength) {
    throw new RangeError("the output begins inside the input");
  }
  for (let at = 0; at < inputLength; at += LEVEL * 64) {
    const end = Math.min(at + LEVEL * 64, inputLength);
    levelViews().nodes.set(inputLength <= LEVEL * 64 ? input : view(input, at, end));
    const { digests } = hashLevel((end - at) / 64);
    const half = (end - at) / 2;
    set.call(output, half === digests.length ? digests : digests.subarray(0, half), at / 2);
  }
}

/** Hashes each 64 bytes of a level of a Merkle tree, and returns the level above. */
export function digest64(input) {
  if (!isBytes(input)) {
    throw new TypeError("the input must be of type Uint8Array");
  }
  const output = new Uint8Array(length.call(input) / 2);
  hashInto(input, output);
  return output;
}

/** The maximum length of a message, and of the messages of chains. WebAssembly has 4 GiB at most. */
export const MAX_BYTES = 2 ** 30;

/** The number of bytes that are copied to WebAssembly at once, unless a message is longer. */
const SLICE_BYTES = 2 ** 24;

/** A number, or the type of what is none: the text "3" would look like the number. */
const shown = (value) => (typeof value === "number" ? value : `of type ${typeof value}`);

/** Throws a RangeError if WebAssembly cannot have a copy of so many bytes. */
function checkLength(bytes, name) {
  if (bytes > MAX_BYTES) {
    throw new RangeError(`${name} of ${bytes} bytes exceeds the limit of ${MAX_BYTES}`);
  }
}

/** What a function returns that copies `bytes` bytes to WebAssembly's memory, which may be full. */
function withMemory(bytes, copies) {
  try {
    return copies();
  } catch (cause) {
    if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
    throw new RangeError(`WebAssembly found no memory for ${bytes} bytes`, { cause });
  }
}

/** The function of many messages for a function of those that lie end to end. */
const many = (hashJoined, digestLength) => (messages) => {
  if (isBytes(messages) || typeof messages === "string") {
    throw new TypeError("the messages are one value, not an iterable of Uint8Array");
  }
  checkIterable(messages, "the messages");
  const list = Array.from(messages, (message, index) => {
    if (!isBytes(message)) {
      throw new TypeError(`message ${index} is not a Uint8Array`);
    }
    return message;
  });
  const lengths = Float64Array.from(list, (message) => length.call(message));
  lengths.forEach((bytes, index) => checkLength(bytes, `message ${index}`));
  const digests = new Uint8Array(list.length * digestLength);
  for (let first = 0, next = 0; first < list.length; first = next) {
    let bytes = 0;
    while (next < list.length && (next === first || bytes + lengths[next] <= SLICE_BYTES)) {
      bytes += lengths[next];
      next += 1;
    }
    const joined = next === first + 1 ? view(list[first]) : new Uint8Array(bytes);
    for (let index = first, at = 0; next > first + 1 && index < next; index++) {
      joined.set(list[index], at);
      at += lengths[index];
    }
    const part = Uint32Array.from(lengths.subarray(first, next));
    digests.set(withMemory(bytes, () => hashJoined(joined, part)), first * digestLength);
  }
  return digests;
};

/** The function of messages of one length for a function of those that lie end to end. */
const equal = (hashJoined, digestLength) => (joined, messageLength) => {
  if (!isBytes(joined)) {
    throw new TypeError("the buffer must be of type Uint8Array");
  }
  const bytes = length.call(joined);
  if (!(messageLength > 0 && Number.isInteger(messageLength))) {
    const message = `the length of a message is ${shown(messageLength)}, not a positive integer`;
    throw new RangeError(message);
  }
  if (bytes % messageLength !== 0) {
    throw new RangeError(`${bytes} bytes cannot be cut into messages of ${messageLength} bytes`);
  }
  checkLength(messageLength, "a message");
  const count = bytes / messageLength;
  const digests = new Uint8Array(count * digestLength);
  const atOnce = Math.max(Math.floor(SLICE_BYTES / messageLength), 1);
  for (let first = 0; first < count; first += atOnce) {
    const next = Math.min(first + atOnce, count);
    const part = view(joined, first * messageLength, next * messageLength);
    const lengths = new Uint32Array(next - first).fill(messageLength);
    digests.set(
      withMemory(part.length, () => hashJoined(part, lengths)),
      first * digestLength,
    );
  }
  return digests;
};

/** Hash each message, and return the digests end to end. */
export const digestMany = many(joined.digestMany, 32);
export const sha512Many = many(joined.sha512Many, 64);
export const keccak256Many = many(joined.keccak256Many, 32);
export const sha3_256Many = many(joined.sha3_256Many, 32);

/** Hash each `length` bytes of a buffer, and return the digests end to end. */
export const digestEqual = equal(joined.digestMany, 32);
export const sha512Equal = equal(joined.sha512Many, 64);
export const keccak256Equal = equal(joined.keccak256Many, 32);
export const sha3_256Equal = equal(joined.sha3_256Many, 32);

/** A number that WebAssembly would not wrap. */
function integer(value, name) {
  if (!(Number.isInteger(value) && 0 <= value && value < 2 ** 32)) {
    throw new RangeError(`${name} is ${shown(value)}, not an integer of 32 bits`);
  }
  return value;
}

/** The function of chains for a method of `joined.Chains`. */
const chains = (method, digestLength) => (messages, steps, layout = {}) => {
  if (!isBytes(messages)) {
    throw new TypeError("the messages must be of type Uint8Array");
  }
  checkIterable(steps, "the steps");
  const { length: messageLength = digestLength } = layout;
  const { value = [0, messageLength], counter = [0, 0] } = layout;
  const [valueStart, valueEnd] = value;
  const [counterStart, counterEnd] = counter;
  const numbers = { length: messageLength, valueStart, valueEnd, counterStart, counterEnd };
  Object.entries(numbers).forEach(([name, number]) => integer(number, name));
  const checked = Uint32Array.from(steps, (step, index) => integer(step, `step ${index}`));
  const bytes = view(messages);
  checkLength(bytes.length, "a buffer");
  let chains;
  try {
    chains = new joined.Chains(...Object.values(numbers));
    return withMemory(bytes.length, () => chains[method](bytes, checked));
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError(error.message);
  } finally {
    chains?.free();
  }
};

/** Hash each message as often as its step count says, each time with the digest as its value. */
export const sha256Chains = chains("sha256", 32);
export const sha512Chains = chains("sha512", 64);
export const shake256Chains = chains("shake256", 32);

export const { backend } = joined;
