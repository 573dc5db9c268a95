import type { Hit } from '../names/find-name.ts'
import type { Text } from '../names/read-name.ts'
import { cityStart } from '../places/location.ts'
import { isPhone, isSite, numberAt } from './trailing-text.ts'

/** What stands behind a name and says something of the shop: kept as evidence, never thrown away. */
export type StoreDetail = {
  readonly kind: 'store_number' | 'phone' | 'site' | 'place'
  readonly start: number
  readonly end: number
}

const phoneTokens = 3

export function storeDetailsOf({ parsed, location }: Text, hit: Hit): StoreDetail[] {
  const { tokens } = parsed
  const { texts, starts, ends } = tokens
  const details: StoreDetail[] = []
  const until = location.place === null ? location.end : Math.max(hit.to, location.place.at)
  let numbered = false
  for (let at = hit.to; at < until; at += 1) {
    const start = starts[at] ?? 0
    if (isPhone(tokens, at)) {
      const last =
        (texts[at] ?? '').length > phoneTokens ? at : at + ((texts[at + 1] ?? '').length === phoneTokens ? 2 : 1)
      details.push({ kind: 'phone', start, end: ends[last] ?? start })
      at = last
      continue
    }
    const number = numbered ? null : numberAt(tokens, at, until)
    if (number !== null) {
      numbered = true
      details.push({ kind: 'store_number', start, end: ends[number.next - 1] ?? start })
      at = number.next - 1
    } else if (isSite(tokens, at))
      details.push({ kind: 'site', start, end: ends[Math.min(at + 1, until - 1)] ?? start })
  }
  const place = placeIn({ parsed, location }, hit)
  return place === null ? details : [...details, place]
}

function placeIn({ parsed, location }: Pick<Text, 'parsed' | 'location'>, hit: Hit): StoreDetail | null {
  const { place } = location
  if (place === null || place.at < hit.to) return null
  const { starts, ends } = parsed.tokens
  const cityAt = cityStart(parsed.tokens, hit.to, location.end, location)
  return { kind: 'place', start: starts[cityAt < 0 ? place.at : cityAt] ?? 0, end: ends[place.at] ?? 0 }
}
