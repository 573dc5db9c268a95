/** The hash of a text, or of a text with the hash `before` followed by this one. */
export function hashOf(key: string, before = hashStart): number {
  let hash = before
  for (let at = 0; at < key.length; at += 1) hash = hashWith(hash, key.charCodeAt(at))
  return hash
}

/** A rolling hash: the hashes of all substrings follow from those of the prefixes, which one pass computes. */
export const hashStart = 0
// 31 times the hash, which V8 compiles to much less code than `Math.imul`.
export const hashWith = (hash: number, code: number) => ((hash << 5) - hash + code) | 0

/** The hash of two concatenated texts; `length` is that of the second. */
export const hashOfBoth = (before: number, after: number, length: number) =>
  (Math.imul(before, powers[length] ?? 0) + after) | 0

/** The hash of the last `length` letters of a text, from the hashes of its prefix and of the whole. */
export const hashOfEnd = (before: number, both: number, length: number) =>
  (both - Math.imul(before, powers[length] ?? 0)) | 0

const mostLetters = 256
const powers = new Int32Array(mostLetters)
for (let length = 0, power = 1; length < mostLetters; length += 1, power = Math.imul(power, 31)) powers[length] = power

/** The hash with its bits mixed, so that any few of them can select a slot in a table. */
export const mixBits = (hash: number) => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
