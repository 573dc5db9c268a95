import { hashText, mixBits } from '../../../platform/text/text-hash.ts'

// Hardly any prefix of a text is a name. A Bloom filter with two bits per hash rules out most others without building a
// string. With 160,000 keys, one prefix in forty is a false positive and costs a wasted lookup. Like the maps, the
// filter is split into pieces, and a change copies only the pieces it touches.
const pieceWords = 1 << 9
const pieceCount = 1 << 7

export type HashFilter = readonly Int32Array[]

const noBits = new Int32Array(pieceWords)
export const emptyFilter: HashFilter = new Array(pieceCount).fill(noBits)

// Both bits of a hash are in the same word, so a lookup waits for memory only once.
const toBits = (mixed: number) => (1 << (mixed & 31)) | (1 << ((mixed >>> 5) & 31))
const toWordIndex = (mixed: number) => (mixed >>> 10) & (pieceWords - 1)
const toPieceIndex = (mixed: number) => (mixed >>> 19) & (pieceCount - 1)

export function mayHold(filter: HashFilter, hash: number): boolean {
  const mixed = mixBits(hash)
  const bits = toBits(mixed)
  return (((filter[toPieceIndex(mixed)] ?? noBits)[toWordIndex(mixed)] ?? 0) & bits) === bits
}

/** A filter that accepts additions. Forms removed from the catalog stay in it, which costs only wasted lookups. */
type FilterDraft = { add(key: string): void; addHash(hash: number): void; done(): HashFilter }

export function draftFilter(filter: HashFilter): FilterDraft {
  const drafted = [...filter]
  const addHash = (hash: number) => {
    if (mayHold(drafted, hash)) return
    const mixed = mixBits(hash)
    const at = toPieceIndex(mixed)
    const piece = drafted[at] === filter[at] ? (drafted[at] ?? noBits).slice() : (drafted[at] ?? noBits)
    piece[toWordIndex(mixed)] = (piece[toWordIndex(mixed)] ?? 0) | toBits(mixed)
    drafted[at] = piece
  }
  return { add: (key) => addHash(hashText(key)), addHash, done: () => drafted }
}
