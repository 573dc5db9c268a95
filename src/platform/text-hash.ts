/** The hash of a text, or of a text with that hash and another behind it. */
export function hashOf(key: string, before = hashStart): number {
  let hash = before
  for (let at = 0; at < key.length; at += 1) hash = hashWith(hash, key.charCodeAt(at))
  return hash
}

/** A hash that grows letter by letter, so that all pieces of a text are known from its beginnings, hashed in one pass. */
export const hashStart = 0
// 31 times the hash; V8 makes much more of `Math.imul` here.
export const hashWith = (hash: number, code: number) => ((hash << 5) - hash + code) | 0

/** The hash of two texts in a row; that of the second stands for so many letters. */
export const hashOfBoth = (before: number, behind: number, length: number) =>
  (Math.imul(before, powers[length] ?? 0) + behind) | 0

/** The hash of what follows a beginning: so many letters. */
export const hashBehind = (before: number, both: number, length: number) =>
  (both - Math.imul(before, powers[length] ?? 0)) | 0

const mostLetters = 256
const powers = new Int32Array(mostLetters)
for (let length = 0, power = 1; length < mostLetters; length += 1, power = Math.imul(power, 31)) powers[length] = power
/** The hash with its bits mixed, so that any few of them can choose a place in a table. */
export const mixBits = (hash: number) => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
