import type { Publisher } from '../publishers/index.ts'
import { type AliasBook, type Aliases, emptyAliasBook, NO_ALIASES } from './aliases.ts'
import type { Brand, Catalog } from './catalog.ts'
import type { Split } from './net.ts'
import type { Offer } from './offer.ts'

/**
 * One state of the catalog as one publisher carries it: which offers, on what terms, in whose words. Never changed. The
 * same object for as long as nothing changed, so what is derived from it can be kept beside it.
 */
export type Assortment = {
  readonly catalog: Catalog
  /**
   * Names what a publisher's terms make of offers: which are carried, their splits, words and order. What was derived under
   * one name holds for later states of the catalog, too, where brand and offer are the same.
   */
  readonly termsKey: string
  /** A brand that is not carried is not there for the publisher's users; one that is may have no offer. */
  carriesBrand(brand: Brand): boolean
  carries(offer: Offer): boolean
  /** The service's fee and the publisher's share of what this offer pays. */
  splitOf(offer: Offer): Split
  /** The publisher's own wording of an offer, or null. */
  wordingOf(offerUid: string): string | null
  /** Categories in the publisher's order; those it does not name follow in the catalog's. */
  readonly categoryOrder: readonly number[]
  /** The publisher's own before those for all. */
  readonly aliases: Aliases
  /** Who was paid where a marketplace sells another known brand. */
  readonly marketplace: Publisher['marketplacePolicy']
}

/** Everything, on the terms of the publisher's agreement. */
export function wholeCatalog(
  catalog: Catalog,
  split: Split,
  known: Partial<Pick<Assortment, 'aliases' | 'marketplace'>> = {},
): Assortment {
  return {
    catalog,
    termsKey: `${split.feePpm} ${split.sharePpm}`,
    carriesBrand: () => true,
    carries: () => true,
    splitOf: () => split,
    wordingOf: () => null,
    categoryOrder: [],
    aliases: NO_ALIASES,
    marketplace: 'MARKETPLACE',
    ...known,
  }
}

/** The assortments of one state of the catalog and the aliases, each made once. Publishers that carry the same share it. */
export function assortmentsOf(
  catalog: Catalog,
  book: AliasBook = emptyAliasBook,
): (publisher: Publisher) => Assortment {
  const known = new Map<Aliases, Map<string, Assortment>>()
  return ({ id, feePpm, sharePpm, marketplacePolicy: marketplace }) => {
    const aliases = book.of(id)
    const alike = known.get(aliases) ?? new Map<string, Assortment>()
    known.set(aliases, alike)
    const key = `${feePpm} ${sharePpm} ${marketplace}`
    const assortment = alike.get(key) ?? wholeCatalog(catalog, { feePpm, sharePpm }, { aliases, marketplace })
    alike.set(key, assortment)
    return assortment
  }
}
