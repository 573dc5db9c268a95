import type { CatalogOffer } from '../catalog.ts'
import type { Channel } from '../offer.ts'

/** Where a user wants to redeem. Places narrow offers in stores; an online offer has no place. */
export type LocationFilter = {
  readonly channels: readonly Channel[]
  readonly places: readonly SearchArea[]
}
type SearchArea =
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'zip'; readonly zip: string }
  | { readonly kind: 'point'; readonly latitude: number; readonly longitude: number; readonly radius: number }

/** Ten kilometres: a drive across a town. */
export const RADIUS_DEFAULT = 10_000
const NUMBER = /^-?\d{1,3}(\.\d{1,15})?$/

/**
 * Reads the values of `location`, which arrive split at commas: two numbers in a row are a point.
 * @returns the value that is none of the allowed ones as `unknown`.
 */
export function readLocation(
  values: readonly string[],
  radius: number,
): { readonly filter: LocationFilter } | { readonly unknown: string } {
  const channels: Channel[] = []
  const places: SearchArea[] = []
  for (let at = 0; at < values.length; at++) {
    const value = (values[at] ?? '').trim()
    const upper = value.toUpperCase()
    const next = (values[at + 1] ?? '').trim()
    if (upper === 'IN_STORE' || upper === 'ONLINE') channels.push(upper)
    else if (/^[A-Z]{2}$/.test(upper)) places.push({ kind: 'state', state: upper })
    else if (/^\d{5}(-\d{4})?$/.test(value)) places.push({ kind: 'zip', zip: value.slice(0, 5) })
    else if (isCoordinate(value, 90) && isCoordinate(next, 180)) {
      places.push({ kind: 'point', latitude: Number(value), longitude: Number(next), radius })
      at++
    } else return { unknown: value }
  }
  return { filter: { channels, places } }
}

function isCoordinate(text: string, limit: number): boolean {
  return NUMBER.test(text) && Math.abs(Number(text)) <= limit
}

/**
 * Where an offer can be redeemed: as the catalog says, else in stores when it has stores or a location. Otherwise a
 * card-linked offer counts everywhere, others online.
 */
export function channelsOf(offer: CatalogOffer): readonly Channel[] {
  if (offer.channels !== null) return offer.channels
  if (offer.stores.length > 0 || offer.location !== null) return ['IN_STORE']
  return offer.offerType === 'CARD_LINKED' ? ['IN_STORE', 'ONLINE'] : ['ONLINE']
}
