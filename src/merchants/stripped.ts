import type { Hit } from './candidates.ts'
import type { Text } from './names-match.ts'
import { cityStart } from './places.ts'
import { isPhone, isSite, numberAt } from './remainders.ts'

/** What stands behind a name and says something of the shop: kept as evidence, never thrown away. */
export type Stripped = {
  readonly kind: 'store_number' | 'phone' | 'site' | 'place'
  readonly start: number
  readonly end: number
}

const phoneTokens = 3

export function strippedFrom({ parsed, frame }: Text, hit: Hit): Stripped[] {
  const { tokens } = parsed
  const { texts, starts, ends } = tokens
  const stripped: Stripped[] = []
  const until = frame.place === null ? frame.end : Math.max(hit.to, frame.place.at)
  let numbered = false
  for (let at = hit.to; at < until; at += 1) {
    const start = starts[at] ?? 0
    if (isPhone(tokens, at)) {
      const last =
        (texts[at] ?? '').length > phoneTokens ? at : at + ((texts[at + 1] ?? '').length === phoneTokens ? 2 : 1)
      stripped.push({ kind: 'phone', start, end: ends[last] ?? start })
      at = last
      continue
    }
    const number = numbered ? null : numberAt(tokens, at, until)
    if (number !== null) {
      numbered = true
      stripped.push({ kind: 'store_number', start, end: ends[number.next - 1] ?? start })
      at = number.next - 1
    } else if (isSite(tokens, at))
      stripped.push({ kind: 'site', start, end: ends[Math.min(at + 1, until - 1)] ?? start })
  }
  const place = placeIn({ parsed, frame }, hit)
  return place === null ? stripped : [...stripped, place]
}

function placeIn({ parsed, frame }: Pick<Text, 'parsed' | 'frame'>, hit: Hit): Stripped | null {
  const { place } = frame
  if (place === null || place.at < hit.to) return null
  const { starts, ends } = parsed.tokens
  const cityAt = cityStart(parsed.tokens, hit.to, frame.end, frame)
  return { kind: 'place', start: starts[cityAt < 0 ? place.at : cityAt] ?? 0, end: ends[place.at] ?? 0 }
}
