import { hashOf } from '../../platform/text-hash.ts'
import cityPack from '../packs/cities.json' with { type: 'json' }
import { shortEndings, shortOpenings } from '../packs/geography.ts'
import { lazy } from '../packs/lists.ts'
import placePack from '../packs/places.json' with { type: 'json' }
import { placeIn } from '../text/tokens.ts'

// Which cities a state has, folded and without spaces. Texts ask for many spans of their letters, so a city is known by
// the 32-bit hash of its name with the state behind it, which costs no string for a span. One other span in 30,000
// passes for a city.

/** Whether a state has a city of that name; its end may be cut off. */
export const isCityIn = (state: string, city: string) => isCityHash(hashOf(state, hashOf(city)))

/** The same by the hash of the city's name with the state's code behind it. */
export const isCityHash = (hash: number) => cityHashes().has(hash)

/** Whether one of the larger cities of any state has that name. */
export const isCityAnywhere = (city: string) => largerCities().has(city)

/** Whether the name of one of them begins so. */
export function beginsCityAnywhere(text: string): boolean {
  const names = largerInOrder()
  return names[placeIn(names, text)]?.startsWith(text) === true
}

const largerCities = lazy(() => new Set(Object.values(cityPack).flatMap((names) => names.split(' '))))
const largerInOrder = lazy(() => [...largerCities()].sort())

const cityHashes = lazy(() => {
  const hashes = new Set<number>()
  for (const [state, names] of [cityPack, placePack].flatMap((pack) => Object.entries(pack)))
    for (const name of names.split(' '))
      for (const spelling of spellingsOf(name))
        for (const cut of cutsOf(spelling)) hashes.add(hashOf(state, hashOf(cut)))
  return hashes
})

// The field for the city has 13 characters, so of a longer name nine letters or more are left.
const shortestCutCity = 9
const longestCutCity = 13

function cutsOf(name: string): string[] {
  const cuts = [name]
  for (let length = shortestCutCity; length <= Math.min(longestCutCity, name.length - 1); length += 1)
    cuts.push(name.slice(0, length))
  return cuts
}

const fewestOtherLetters = 3

/** The name with its first and its last word in full and shortened (`FT WAYNE`, `PALM BCH`). */
function spellingsOf(name: string): string[] {
  const isPart = ([word]: readonly [string, unknown]) => name.length >= word.length + fewestOtherLetters
  const opening = shortOpenings.find((one) => name.startsWith(one[0]) && isPart(one))
  const ending = shortEndings.find((one) => name.endsWith(one[0]) && isPart(one))
  const starts = opening === undefined ? [] : opening[1].map((short) => short + name.slice(opening[0].length))
  const opened = [name, ...starts]
  if (ending === undefined) return opened
  return opened.flatMap((start) => [start, ...ending[1].map((short) => start.slice(0, -ending[0].length) + short)])
}
