import { hashOf, mixBits } from '../../platform/text-hash.ts'

// Nearly every beginning of a text is no name. A filter of two bits a hash rules it out without building the string:
// with 160,000 keys, one beginning in forty passes by mistake and causes a useless lookup. Like the maps, the filter
// is cut into pieces, and a change copies only the pieces that it touches.
const pieceWords = 1 << 9
const pieceCount = 1 << 7

export type HashFilter = readonly Int32Array[]

const noBits = new Int32Array(pieceWords)
export const emptyFilter: HashFilter = new Array(pieceCount).fill(noBits)

// Both bits of a hash are in one word, so a lookup waits for memory once.
const bitsOf = (mixed: number) => (1 << (mixed & 31)) | (1 << ((mixed >>> 5) & 31))
const wordOf = (mixed: number) => (mixed >>> 10) & (pieceWords - 1)
const pieceOf = (mixed: number) => (mixed >>> 19) & (pieceCount - 1)

export function mayHold(filter: HashFilter, hash: number): boolean {
  const mixed = mixBits(hash)
  const bits = bitsOf(mixed)
  return (((filter[pieceOf(mixed)] ?? noBits)[wordOf(mixed)] ?? 0) & bits) === bits
}

/** A filter to add to. Forms removed from the catalog stay in it, each at the cost of a useless lookup. */
type FilterDraft = { add(key: string): void; addHash(hash: number): void; done(): HashFilter }

export function filterDraftOf(filter: HashFilter): FilterDraft {
  const drafted = [...filter]
  const addHash = (hash: number) => {
    if (mayHold(drafted, hash)) return
    const mixed = mixBits(hash)
    const at = pieceOf(mixed)
    const piece = drafted[at] === filter[at] ? (drafted[at] ?? noBits).slice() : (drafted[at] ?? noBits)
    piece[wordOf(mixed)] = (piece[wordOf(mixed)] ?? 0) | bitsOf(mixed)
    drafted[at] = piece
  }
  return { add: (key) => addHash(hashOf(key)), addHash, done: () => drafted }
}
