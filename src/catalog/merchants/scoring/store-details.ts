import { findCityStart } from '../places/printed-location.ts'
import type { Hit, Text } from '../search.ts'
import { isPhone, isSite, readNumberAt } from '../text/store-number.ts'

/** A detail after the name that describes the store, recorded as evidence. */
type StoreDetail = {
  readonly kind: 'store_number' | 'phone' | 'site' | 'place'
  readonly matched: string
}

const areaCodeDigits = 3

export function findStoreDetails({ parsed: { folded, tokens }, location }: Text, hit: Hit): StoreDetail[] {
  const { texts, starts, ends } = tokens
  const { place, end } = location
  const details: StoreDetail[] = []
  const getLength = (at: number) => texts[at]?.length ?? 0
  const add = (kind: StoreDetail['kind'], from: number, last: number) =>
    details.push({ kind, matched: folded.slice(starts[from], ends[last]) })
  const until = place === null ? end : Math.max(hit.to, place.at)
  let isNumbered = false
  for (let at = hit.to; at < until; at += 1) {
    const number = isNumbered ? null : readNumberAt(tokens, at, until)
    if (isPhone(tokens, at)) {
      const last = getLength(at) > areaCodeDigits ? at : at + (getLength(at + 1) === areaCodeDigits ? 2 : 1)
      add('phone', at, last)
      at = last
    } else if (number !== null) {
      isNumbered = true
      add('store_number', at, number.next - 1)
      at = number.next - 1
    } else if (isSite(tokens, at)) add('site', at, Math.min(at + 1, until - 1))
  }
  if (place === null || place.at < hit.to) return details
  const cityAt = findCityStart(tokens, hit.to, end, location)
  add('place', cityAt < 0 ? place.at : cityAt, place.at)
  return details
}
