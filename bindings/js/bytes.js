// Arrays of bytes that a caller gives, whose own properties may overrule those of their kind.

/** The getters of the prototype of all typed arrays, which no property of an object overrules. */
const getter = (name) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get;
const tag = getter(Symbol.toStringTag);
export const length = getter("length");
export const byteOffset = getter("byteOffset");
export const buffer = getter("buffer");
export const { set } = Uint8Array.prototype;

/** Whether a value is an array of bytes. Those of another realm are no instances of Uint8Array. */
export const isBytes = (value) =>
  ["Uint8Array", "Uint8ClampedArray", "Int8Array"].includes(tag.call(value));

/** Throws a TypeError unless the value can be iterated. A promise of such a value cannot. */
export function checkIterable(value, name) {
  if (typeof value?.[Symbol.iterator] === "function") return;
  const fault = typeof value?.then === "function" ? "a promise, which needs await" : "not iterable";
  throw new TypeError(`${name} are ${fault}`);
}

/** The bytes from `start` to `end` of an array of bytes, as a view that has no other properties. */
export const view = (bytes, start = 0, end = length.call(bytes)) =>
  new Uint8Array(buffer.call(bytes), byteOffset.call(bytes) + start, end - start);
