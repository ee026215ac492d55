/** SHA-256 of many messages, in the lanes of WebAssembly's vector registers. */
import { Level, backend, digestMany as digestJoined, initSync } from "./pkg/hashlanes.js";
import { wasm } from "./pkg/wasm.js";

const { memory } = initSync({ module: Uint8Array.from(atob(wasm), (char) => char.charCodeAt(0)) });

/** The number of nodes that are hashed at once. */
export const LEVEL = 256;

const level = new Level(LEVEL);
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

/** Hashes the first `count` nodes of the level. Returns the views, because memory may grow. */
export function hashLevel(count) {
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

/** Hashes each message, and returns the digests end to end. */
export function digestMany(messages) {
  const list = Array.from(messages, (message, index) => {
    if (!isBytes(message)) {
      throw new TypeError(`message ${index} is not a Uint8Array`);
    }
    return message;
  });
  const lengths = Uint32Array.from(list, ({ length }) => length);
  const joined = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const message of list) {
    joined.set(message, at);
    at += message.length;
  }
  return digestJoined(joined, lengths);
}

/** Hashes each `length` bytes of a buffer, and returns the digests end to end. */
export function digestEqual(buffer, length) {
  if (!isBytes(buffer)) {
    throw new TypeError("the buffer must be of type Uint8Array");
  }
  if (!(length > 0) || !Number.isInteger(length) || buffer.length % length !== 0) {
    throw new RangeError(`${buffer.length} bytes cannot be cut into messages of ${length} bytes`);
  }
  return digestJoined(buffer, new Uint32Array(buffer.length / length).fill(length));
}

export { backend };
