/** Hashes a string, or continues the hash `before` of the string that precedes it. */
export function hashText(key: string, before = hashStart): number {
  let hash = before
  for (let at = 0; at < key.length; at += 1) hash = hashWith(hash, key.charCodeAt(at))
  return hash
}

/**
 * A rolling hash: the hash of any substring can be derived from those of the prefixes, which take a single pass to
 * compute.
 */
export const hashStart = 0
// Multiplies the hash by 31. V8 compiles this to much less code than `Math.imul`.
export const hashWith = (hash: number, code: number) => ((hash << 5) - hash + code) | 0

/** Returns the hash of two concatenated strings. `length` is the length of the second. */
export const joinHashes = (before: number, after: number, length: number) =>
  (Math.imul(before, powers[length] ?? 0) + after) | 0

/** Returns the hash of a string's last `length` characters, given the hashes of its prefix and of the entire string. */
export const subtractHash = (before: number, both: number, length: number) =>
  (both - Math.imul(before, powers[length] ?? 0)) | 0

const mostLetters = 256
const powers = new Int32Array(mostLetters)
for (let length = 0, power = 1; length < mostLetters; length += 1, power = Math.imul(power, 31)) powers[length] = power

/** Mixes the bits of a hash, so that any few of them can select a slot in a table. */
export const mixBits = (hash: number) => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
