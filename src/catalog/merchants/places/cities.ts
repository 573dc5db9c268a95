import { hashStart, hashText, hashWith, mixBits } from '../../../platform/text/text-hash.ts'
import cityPack from '../packs/cities.json' with { type: 'json' }
import { shortEndings, shortOpenings } from '../packs/geography.ts'
import { defer } from '../packs/lists.ts'
import placePack from '../packs/places.json' with { type: 'json' }
import { placeIn } from '../text/tokens.ts'

// The cities of each state, folded and without spaces. Many substrings of a text are looked up, so a city is identified
// by the 32-bit hash of its name followed by the state, which avoids building a string for each. One in 75,000 other
// substrings is a false positive.

/** Returns true if the state has a city with this name. The end of the name may be cut off. */
export const isCityIn = (state: string, city: string) => isCityHash(hashText(state, hashText(city)))

/** Like `isCityIn`, but takes the hash of the city's name followed by the state code. */
export function isCityHash(hash: number): boolean {
  const table = cityHashes()
  return table[findSlot(table, hash)] === hash
}

/** Returns true if one of the larger cities in any state has this name. */
export const isCityAnywhere = (city: string) => largerCities().has(city)

/** Returns true if the name of a larger city begins with this text. */
export function beginsCityAnywhere(text: string): boolean {
  const names = largerInOrder()
  return names[placeIn(names, text)]?.startsWith(text) === true
}

const largerCities = defer(() => new Set(Object.values(cityPack).flatMap((names) => names.split(' '))))
const largerInOrder = defer(() => [...largerCities()].sort())

const cityHashes = defer(() => {
  const table = new Int32Array(tableSize)
  for (const [state, names] of [cityPack, placePack].flatMap((pack) => Object.entries(pack)))
    for (const name of names.split(' ')) for (const spelling of buildSpellings(name)) addCuts(table, state, spelling)
  return table
})

// Open addressing: a hash is stored in its own slot or the next empty one, and 0 marks an empty slot. Two-fifths of the
// slots are occupied, so a lookup takes two probes on average, and the table fits in the CPU cache.
const tableSize = 1 << 17

function findSlot(table: Int32Array, hash: number): number {
  let at = mixBits(hash) & (tableSize - 1)
  while (table[at] !== 0 && table[at] !== hash) at = (at + 1) & (tableSize - 1)
  return at
}

// The city field has 13 characters, so at least nine letters of a longer name remain.
const shortestCutCity = 9
const longestCutCity = 13

function addCuts(table: Int32Array, state: string, name: string): void {
  let beginning = hashStart
  for (let length = 1; length <= name.length; length += 1) {
    beginning = hashWith(beginning, name.charCodeAt(length - 1))
    const isCut = length >= shortestCutCity && length <= longestCutCity
    if (!isCut && length < name.length) continue
    const hash = hashText(state, beginning)
    table[findSlot(table, hash)] = hash
  }
}

const fewestOtherLetters = 3

/** Returns the name with its first and last words both in full and abbreviated (`FT WAYNE`, `PALM BCH`). */
function buildSpellings(name: string): string[] {
  const isPart = ([word]: readonly [string, unknown]) => name.length >= word.length + fewestOtherLetters
  const opening = shortOpenings.find((one) => name.startsWith(one[0]) && isPart(one))
  const ending = shortEndings.find((one) => name.endsWith(one[0]) && isPart(one))
  const starts = opening === undefined ? [] : opening[1].map((short) => short + name.slice(opening[0].length))
  const opened = [name, ...starts]
  if (ending === undefined) return opened
  return opened.flatMap((start) => [start, ...ending[1].map((short) => start.slice(0, -ending[0].length) + short)])
}
