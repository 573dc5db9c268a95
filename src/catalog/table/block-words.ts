import type { Brand, CatalogOffer } from '../catalog.ts'
import { type Vocabulary, wordsOf } from '../search/vocabulary.ts'

/** The words of a block's names, and who has them: the brands by their number, then the offers by theirs. */
export type BlockWords = {
  /** Each once, with those who have it from ownersFrom[w] on, before ownersFrom[w + 1]. */
  readonly words: Uint32Array
  readonly ownersFrom: Uint32Array
  readonly owners: Uint32Array
  /** Of each brand's name: its first word, and how many there are. */
  readonly firstWords: Uint32Array
  readonly lengths: Uint8Array
}

// People write some names in one word that others write in several.
const JOINED_LENGTH_MAX = 40
const LENGTH_MAX = 255

export function wordsIn(
  brands: readonly Brand[],
  offers: readonly CatalogOffer[],
  brandOf: Uint8Array,
  vocabulary: Vocabulary,
): BlockWords {
  const owned = new Map<number, number[]>()
  const own = (word: string, owner: number): void => {
    const number = vocabulary.numberOf(word)
    const owners = owned.get(number)
    if (owners === undefined) owned.set(number, [owner])
    else if (owners.at(-1) !== owner) owners.push(owner)
  }
  const firstWords = new Uint32Array(brands.length)
  const lengths = new Uint8Array(brands.length)
  brands.forEach(({ name }, brand) => {
    const words = wordsOf(name)
    for (const word of words) own(word, brand)
    const joined = words.join('')
    if (words.length > 1 && joined.length <= JOINED_LENGTH_MAX) own(joined, brand)
    firstWords[brand] = vocabulary.numberOf(words[0] ?? '')
    lengths[brand] = Math.min(words.length, LENGTH_MAX)
  })
  const ofBrands = brands.map(({ name }) => new Set(wordsOf(name)))
  offers.forEach(({ name }, offer) => {
    for (const word of wordsOf(name)) {
      // Found in the brand's name it counts for more.
      if (ofBrands[brandOf[offer] ?? 0]?.has(word) !== true) own(word, brands.length + offer)
    }
  })
  return { ...columnsOf(owned), firstWords, lengths }
}

function columnsOf(owned: ReadonlyMap<number, readonly number[]>): Pick<BlockWords, 'words' | 'ownersFrom' | 'owners'> {
  const lists = [...owned.values()]
  const ownersFrom = new Uint32Array(lists.length + 1)
  lists.forEach((owners, at) => {
    ownersFrom[at + 1] = (ownersFrom[at] ?? 0) + owners.length
  })
  return { words: Uint32Array.from(owned.keys()), ownersFrom, owners: Uint32Array.from(lists.flat()) }
}
