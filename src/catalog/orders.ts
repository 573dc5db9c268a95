/** A number for each place of the catalog, by which places are put in order. */
export type Keys = Uint32Array | Float64Array

const DIGIT_BITS = 16
const DIGITS = 1 << DIGIT_BITS

/**
 * Puts places in order of a key, keeping the order they come in where keys are equal: sorting by the last field first, then by the
 * one before it, sorts by all of them. Digit by digit, without comparing: 100,000 places take a millisecond a field.
 * Keys are whole numbers from 0 on.
 */
export function sortedBy(places: Uint32Array, keys: Keys, descending: boolean): Uint32Array {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (let at = 0; at < places.length; at++) {
    const key = keys[places[at] ?? 0] ?? 0
    if (key > most) most = key
    if (key < least) least = key
  }
  let sorted = places
  const range = most - least
  for (let unit = 1; range / unit >= 1; unit *= DIGITS) {
    const digitOf = (place: number): number => {
      const key = keys[place] ?? 0
      return Math.floor((descending ? most - key : key - least) / unit) % DIGITS
    }
    sorted = sortedByDigit(sorted, digitOf, Math.min(DIGITS, Math.floor(range / unit) + 1))
  }
  return sorted
}

function sortedByDigit(places: Uint32Array, digitOf: (place: number) => number, digits: number): Uint32Array {
  const next = new Uint32Array(digits + 1)
  for (let at = 0; at < places.length; at++) {
    const digit = digitOf(places[at] ?? 0) + 1
    next[digit] = (next[digit] ?? 0) + 1
  }
  for (let digit = 1; digit <= digits; digit++) next[digit] = (next[digit] ?? 0) + (next[digit - 1] ?? 0)
  const sorted = new Uint32Array(places.length)
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0
    const digit = digitOf(place)
    const to = next[digit] ?? 0
    sorted[to] = place
    next[digit] = to + 1
  }
  return sorted
}

/** Places in the order of a text that each has, and the rank of each: equal texts have the same. */
export type TextOrder = { readonly places: Uint32Array; readonly ranks: Uint32Array }

export const noOrder: TextOrder = { places: new Uint32Array(0), ranks: new Uint32Array(0) }

// Comparing as many texts holds everything else up for some milliseconds.
const COMPARED_AT_ONCE = 4_096

/** The order after some texts have changed or were added: those are sorted and merged into the others. */
export async function changedOrder(
  before: TextOrder,
  count: number,
  textOf: (place: number) => string,
  changed: ReadonlySet<number>,
  pause: () => Promise<void>,
): Promise<TextOrder> {
  const fresh = await sortedTexts([...changed], textOf, pause)
  const places = new Uint32Array(count)
  let [to, left] = [0, 0]
  for (const place of before.places) {
    if (changed.has(place)) continue
    // Few texts change, so most places only move on.
    while (left < fresh.length && textOf(fresh[left] ?? 0) < textOf(place)) places[to++] = fresh[left++] ?? 0
    places[to++] = place
    if (to % COMPARED_AT_ONCE === 0) await pause()
  }
  while (left < fresh.length) places[to++] = fresh[left++] ?? 0
  return { places, ranks: await ranksOf(places, textOf, pause) }
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
  textOf: (place: number) => string,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const ranks = new Uint32Array(places.length)
  let rank = 0
  let before: string | null = null
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0
    const text = textOf(place)
    if (before !== null && text !== before) rank++
    ranks[place] = rank
    before = text
    if (at % COMPARED_AT_ONCE === 0) await pause()
  }
  return ranks
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
