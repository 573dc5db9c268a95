import type { Brand, CatalogOffer } from '../catalog.ts'
import { splitWords, type Vocabulary } from './vocabulary.ts'

/** The words in a block's names and their owners: brands by index, followed by offers. */
export type BlockWords = {
  /** Distinct words. The owners of word w are at ownersFrom[w] up to, but not including, ownersFrom[w + 1]. */
  readonly words: Uint32Array
  readonly ownersFrom: Uint32Array
  readonly owners: Uint32Array
  /** The first word of each brand's name, and the number of words in the name. */
  readonly firstWords: Uint32Array
  readonly lengths: Uint8Array
}

// People write some names as one word where the brand uses several.
const JOINED_LENGTH_MAX = 40
const LENGTH_MAX = 255

export function buildBlockWords(
  brands: readonly Brand[],
  offers: readonly CatalogOffer[],
  brandByOffer: Uint8Array,
  vocabulary: Vocabulary,
): BlockWords {
  const owned = new Map<number, number[]>()
  const own = (word: string, owner: number): void => {
    const number = vocabulary.getNumber(word)
    const owners = owned.get(number)
    if (owners === undefined) owned.set(number, [owner])
    else if (owners.at(-1) !== owner) owners.push(owner)
  }
  const firstWords = new Uint32Array(brands.length)
  const lengths = new Uint8Array(brands.length)
  brands.forEach(({ name }, brand) => {
    const words = splitWords(name)
    for (const word of words) own(word, brand)
    const joined = words.join('')
    if (words.length > 1 && joined.length <= JOINED_LENGTH_MAX) own(joined, brand)
    firstWords[brand] = vocabulary.getNumber(words[0] ?? '')
    lengths[brand] = Math.min(words.length, LENGTH_MAX)
  })
  const ofBrands = brands.map(({ name }) => new Set(splitWords(name)))
  offers.forEach(({ name }, offer) => {
    for (const word of splitWords(name)) {
      // A word in the brand's own name already ranks higher there.
      if (ofBrands[brandByOffer[offer] ?? 0]?.has(word) !== true) own(word, brands.length + offer)
    }
  })
  return { ...buildColumns(owned), firstWords, lengths }
}

function buildColumns(
  owned: ReadonlyMap<number, readonly number[]>,
): Pick<BlockWords, 'words' | 'ownersFrom' | 'owners'> {
  const lists = [...owned.values()]
  const ownersFrom = new Uint32Array(lists.length + 1)
  lists.forEach((owners, at) => {
    ownersFrom[at + 1] = (ownersFrom[at] ?? 0) + owners.length
  })
  return { words: Uint32Array.from(owned.keys()), ownersFrom, owners: Uint32Array.from(lists.flat()) }
}
