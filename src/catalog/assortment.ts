import type { Publisher } from '../publishers/index.ts'
import type { Catalog } from './catalog.ts'
import type { Split } from './net.ts'
import type { Offer } from './offer.ts'

/** What people decided about merchants, by the key under which matching asks for them. No brand: it is none of this catalog. */
export type Aliases = ReadonlyMap<string, { readonly aliasUid: string; readonly brandUid: string | null }>

/**
 * One state of the catalog as one publisher carries it: which offers, on what terms, in whose words. Never changed. The
 * same object for as long as nothing changed, so what is derived from it can be kept beside it.
 */
export type Assortment = {
  readonly catalog: Catalog
  carries(offer: Offer): boolean
  /** The service's fee and the publisher's share of what this offer pays. */
  splitOf(offer: Offer): Split
  /** The publisher's own wording of an offer, or null. */
  wordingOf(offerUid: string): string | null
  /** Categories in the publisher's order; those it does not name follow in the catalog's. */
  readonly categoryOrder: readonly number[]
  /** The publisher's own before those for all. */
  readonly aliases: Aliases
}

const NO_ALIASES: Aliases = new Map()

/** Everything, on the terms of the publisher's agreement. */
export function wholeCatalog(catalog: Catalog, split: Split): Assortment {
  return {
    catalog,
    carries: () => true,
    splitOf: () => split,
    wordingOf: () => null,
    categoryOrder: [],
    aliases: NO_ALIASES,
  }
}

/** The assortments of one state of the catalog, each made once. */
export function assortmentsOf(catalog: Catalog): (publisher: Publisher) => Assortment {
  const known = new Map<string, Assortment>()
  return ({ feePpm, sharePpm }) => {
    const key = `${feePpm} ${sharePpm}`
    const assortment = known.get(key) ?? wholeCatalog(catalog, { feePpm, sharePpm })
    known.set(key, assortment)
    return assortment
  }
}
