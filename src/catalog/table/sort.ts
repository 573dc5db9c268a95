import { reusedColumn } from '../listing/reused-column.ts'

/** A number for each place of the catalog, by which places are put in order. */
export type Keys = Uint32Array | Float64Array

const WORD = 2 ** 32
// More would not stay in the processor's nearest memory.
const DIGIT_BITS_MAX = 11

/**
 * Puts places in order of a key, keeping the order they come in where keys are equal: sorting by the last field first, then by the
 * one before it, sorts by all of them. Digit by digit, without comparing: 100,000 places take a millisecond or two a field.
 * Keys are whole numbers from 0 on. What is answered holds until the next but one call.
 */
export function sortedBy(places: Uint32Array, keys: Keys, descending: boolean): Uint32Array {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (let at = 0; at < places.length; at++) {
    const key = keys[places[at] ?? 0] ?? 0
    if (key > most) most = key
    if (key < least) least = key
  }
  const range = most - least
  if (!(range > 0)) return places
  const low = lowWords(places.length)
  const high = new Uint32Array(range < WORD ? 0 : places.length)
  for (let at = 0; at < places.length; at++) {
    const key = keys[places[at] ?? 0] ?? 0
    low[at] = descending ? most - key : key - least
  }
  if (high.length === 0) return sortedByWord(places, low, range)
  for (let at = 0; at < places.length; at++) {
    const key = keys[places[at] ?? 0] ?? 0
    high[at] = (descending ? most - key : key - least) / WORD
  }
  // The order of the first pass is needed for the keys of the second, so positions are sorted instead of places. Those may stand
  // where the positions are moved to.
  const given = places.slice()
  const positions = Uint32Array.from(places.keys())
  const byLow = sortedByWord(positions, low, WORD - 1)
  const byHigh = sortedByWord(
    byLow,
    byLow.map((position) => high[position] ?? 0),
    Math.floor(range / WORD),
  )
  return byHigh.map((position) => given[position] ?? 0)
}

/** Keys stand beside the places they belong to. */
function sortedByWord(places: Uint32Array, keys: Uint32Array, range: number): Uint32Array {
  const bits = 32 - Math.clz32(range)
  const passes = Math.ceil(bits / DIGIT_BITS_MAX)
  const digitBits = Math.ceil(bits / passes)
  let [from, fromKeys] = [places, keys]
  for (let pass = 0; pass < passes; pass++) {
    const to = from.buffer === firstPlaces(0).buffer ? secondPlaces(from.length) : firstPlaces(from.length)
    const toKeys = pass % 2 === 0 ? firstKeys(from.length) : secondKeys(from.length)
    moveByDigit({ from, fromKeys, to, toKeys }, pass * digitBits, digitBits)
    from = to
    fromKeys = toKeys
  }
  return from
}

const wordsOfLength = (length: number): Uint32Array => new Uint32Array(length)
const lowWords = reusedColumn(wordsOfLength)
const firstKeys = reusedColumn(wordsOfLength)
const secondKeys = reusedColumn(wordsOfLength)
// What was sorted by one field stands in one of these while it is sorted by the next into the other.
const firstPlaces = reusedColumn(wordsOfLength)
const secondPlaces = reusedColumn(wordsOfLength)

type Move = {
  readonly from: Uint32Array
  readonly fromKeys: Uint32Array
  readonly to: Uint32Array
  readonly toKeys: Uint32Array
}

function moveByDigit({ from, fromKeys, to, toKeys }: Move, shift: number, bits: number): void {
  const mask = (1 << bits) - 1
  const next = new Uint32Array(mask + 2)
  for (let at = 0; at < from.length; at++) {
    const digit = (((fromKeys[at] ?? 0) >>> shift) & mask) + 1
    next[digit] = (next[digit] ?? 0) + 1
  }
  for (let digit = 1; digit <= mask; digit++) next[digit] = (next[digit] ?? 0) + (next[digit - 1] ?? 0)
  for (let at = 0; at < from.length; at++) {
    const key = fromKeys[at] ?? 0
    const digit = (key >>> shift) & mask
    const target = next[digit] ?? 0
    next[digit] = target + 1
    to[target] = from[at] ?? 0
    toKeys[target] = key
  }
}

/** The places that are among some, in a given order. */
export function pickedFrom(order: Uint32Array, some: Uint32Array, descending: boolean): Uint32Array {
  const isSome = markColumn(order.length)
  for (let at = 0; at < some.length; at++) isSome[some[at] ?? 0] = 1
  const picked = firstPlaces(some.length)
  let to = 0
  for (let at = 0; at < order.length; at++) {
    const place = order[descending ? order.length - 1 - at : at] ?? 0
    if (isSome[place] === 1) picked[to++] = place
  }
  return picked
}

const markColumn = reusedColumn((length) => new Uint8Array(length))

/** Places in the order of a text that each has, then of its id, and the rank of each: equal texts have the same. */
export type TextOrder = { readonly places: Uint32Array; readonly ranks: Uint32Array }
export type TextAndId = { readonly textOf: (place: number) => string; readonly idOf: (place: number) => string }

export const noOrder: TextOrder = { places: new Uint32Array(0), ranks: new Uint32Array(0) }

// Comparing as many texts holds everything else up for some milliseconds.
const COMPARED_AT_ONCE = 4_096

/** The order after some texts have changed or were added: those are sorted, and each finds its place among the others. */
export async function changedOrder(
  before: TextOrder,
  count: number,
  { textOf, idOf }: TextAndId,
  changed: ReadonlySet<number>,
  pause: () => Promise<void>,
): Promise<TextOrder> {
  const wholeOf = (place: number): string => `${textOf(place)}\u0000${idOf(place)}`
  const kept = before.places.filter((place) => !changed.has(place))
  const fresh = await sortedTexts([...changed], wholeOf, pause)
  const places = new Uint32Array(count)
  let from = 0
  for (const [index, place] of fresh.entries()) {
    if (index % COMPARED_AT_ONCE === 0) await pause()
    const to = positionIn(kept, from, wholeOf, wholeOf(place))
    places.set(kept.subarray(from, to), from + index)
    places[to + index] = place
    from = to
  }
  places.set(kept.subarray(from), from + fresh.length)
  const isEqual = (a: number, b: number): boolean =>
    changed.has(a) || changed.has(b) ? textOf(a) === textOf(b) : before.ranks[a] === before.ranks[b]
  return { places, ranks: await ranksOf(places, isEqual, pause) }
}

/** Where a text belongs among sorted ones, behind those that are equal. */
function positionIn(places: Uint32Array, from: number, textOf: (place: number) => string, text: string): number {
  let [low, high] = [from, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (textOf(places[middle] ?? 0) <= text) low = middle + 1
    else high = middle
  }
  return low
}

/** Short runs are sorted each by itself and merged, two and two. */
async function sortedTexts(
  places: readonly number[],
  textOf: (place: number) => string,
  pause: () => Promise<void>,
): Promise<readonly number[]> {
  if (places.length <= COMPARED_AT_ONCE) {
    const texts = places.map((place) => ({ place, text: textOf(place) }))
    return texts.sort((a, b) => compareTexts(a.text, b.text)).map(({ place }) => place)
  }
  const middle = places.length >> 1
  const first = await sortedTexts(places.slice(0, middle), textOf, pause)
  await pause()
  const second = await sortedTexts(places.slice(middle), textOf, pause)
  const merged: number[] = []
  let [a, b] = [0, 0]
  while (a < first.length && b < second.length) {
    const takeFirst = textOf(first[a] ?? 0) <= textOf(second[b] ?? 0)
    merged.push((takeFirst ? first[a++] : second[b++]) ?? 0)
    if (merged.length % COMPARED_AT_ONCE === 0) await pause()
  }
  return [...merged, ...first.slice(a), ...second.slice(b)]
}

async function ranksOf(
  places: Uint32Array,
  isEqual: (a: number, b: number) => boolean,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const ranks = new Uint32Array(places.length)
  let rank = 0
  for (let at = 1; at < places.length; at++) {
    if (!isEqual(places[at - 1] ?? 0, places[at] ?? 0)) rank++
    ranks[places[at] ?? 0] = rank
    if (at % COMPARED_AT_ONCE === 0) await pause()
  }
  return ranks
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
