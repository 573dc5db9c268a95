import { hashOf } from '../../platform/text-hash.ts'
import { emptyFilter, filterDraftOf, type HashFilter, mayHold } from '../brands/hash-filter.ts'
import cityPack from '../packs/cities.json' with { type: 'json' }
import placePack from '../packs/places.json' with { type: 'json' }
import { placeIn } from '../text/tokens.ts'

// Which cities a state has, all folded and without spaces, read once from the packs.

// Words of cities that statements shorten: `FT WAYNE`, `N LAS VEGAS`, `PALM BCH`.
const openings = Object.entries({
  saint: ['st'],
  fort: ['ft'],
  mount: ['mt'],
  north: ['n'],
  south: ['s', 'so'],
  east: ['e'],
  west: ['w'],
})
const endings = Object.entries({
  beach: ['bch'],
  springs: ['spgs', 'spg', 'sprgs'],
  heights: ['hts', 'hgts', 'ht'],
  city: ['cty', 'cit'],
  village: ['vlg', 'vill'],
  park: ['pk'],
  valley: ['vly'],
  junction: ['jct'],
  center: ['ctr'],
  grove: ['grv'],
  island: ['is', 'isl'],
  township: ['twp'],
})

// The field for the city has 13 characters, so of a longer name nine letters or more are left.
const shortestCutCity = 9
const longestCutCity = 13

const cities: ReadonlyMap<string, ReadonlySet<string>> = citiesByState()
// A city is read back from the state behind it, so this is told letter by letter without a string for each beginning.
const filter: HashFilter = filterOf(cities)
const largerCities: ReadonlySet<string> = new Set(Object.values(cityPack).flatMap((names) => names.split(' ')))

/** Whether a state has a city of that name; its end may be cut off. */
export function isCityIn(state: string, city: string): boolean {
  return cities.get(state)?.has(city) === true
}

/** Whether a state may have a city, told by the hash of the city's name with the state's code behind it. */
export const mayBeCity = (hash: number) => mayHold(filter, hash)

function filterOf(byState: typeof cities): HashFilter {
  const draft = filterDraftOf(emptyFilter)
  for (const [state, names] of byState) for (const name of names) draft.addHash(hashOf(state, hashOf(name)))
  return draft.done()
}

/** Whether one of the larger cities of any state is called so. */
export function isCityAnywhere(city: string): boolean {
  return largerCities.has(city)
}

const largerInOrder = [...largerCities].sort()

/** Whether one of them begins so. */
export function beginsCityAnywhere(text: string): boolean {
  return largerInOrder[placeIn(largerInOrder, text)]?.startsWith(text) === true
}

function citiesByState(): Map<string, Set<string>> {
  const byState = new Map<string, Set<string>>()
  for (const [state, names] of [cityPack, placePack].flatMap((pack) => Object.entries(pack))) {
    const known = byState.get(state) ?? new Set()
    byState.set(state, known)
    for (const name of names.split(' ')) for (const spelling of spellingsOf(name).flatMap(cutsOf)) known.add(spelling)
  }
  return byState
}

function cutsOf(name: string): string[] {
  const cuts = [name]
  for (let length = shortestCutCity; length <= Math.min(longestCutCity, name.length - 1); length += 1)
    cuts.push(name.slice(0, length))
  return cuts
}

function spellingsOf(name: string): string[] {
  const opened = openings.find(([word]) => name.startsWith(word) && name.length > word.length + 2)
  const starts =
    opened === undefined ? [name] : [name, ...opened[1].map((short) => short + name.slice(opened[0].length))]
  const ended = endings.find(([word]) => name.endsWith(word) && name.length > word.length + 2)
  if (ended === undefined) return starts
  return starts.flatMap((start) => [start, ...ended[1].map((short) => start.slice(0, -ended[0].length) + short)])
}
