import { hashOf, mixBits } from '../../platform/text-hash.ts'

// Nearly every beginning of a text is no name. A filter of one bit a hash rules it out without building the string:
// with 300,000 forms, one beginning in twenty passes by mistake and causes a useless lookup. Like the maps, the filter is
// cut into pieces, and a change copies only the pieces that it touches.
const pieceBits = 1 << 15
const pieceCount = 128

export type HashFilter = readonly Int32Array[]

const noBits = new Int32Array(pieceBits >>> 5)
export const emptyFilter: HashFilter = new Array(pieceCount).fill(noBits)

export function mayHold(filter: HashFilter, hash: number): boolean {
  const mixed = mixBits(hash)
  const bit = mixed & (pieceBits - 1)
  const piece = filter[(mixed >>> 15) & (pieceCount - 1)] ?? noBits
  return ((piece[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
}

/** A filter to add to. Forms removed from the catalog stay in it, each at the cost of a useless lookup. */
type FilterDraft = { add(key: string): void; addHash(hash: number): void; done(): HashFilter }

export function filterDraftOf(filter: HashFilter): FilterDraft {
  const drafted = [...filter]
  const addHash = (hash: number) => {
    const mixed = mixBits(hash)
    const bit = mixed & (pieceBits - 1)
    const at = (mixed >>> 15) & (pieceCount - 1)
    let piece = drafted[at] ?? noBits
    if (((piece[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) return
    if (piece === filter[at]) {
      piece = piece.slice()
      drafted[at] = piece
    }
    piece[bit >>> 5] = (piece[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }
  return { add: (key) => addHash(hashOf(key)), addHash, done: () => drafted }
}
