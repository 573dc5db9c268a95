import type { Reader, Tx } from '../../../platform/db/database.ts'
import { inBatches } from '../queries.ts'
import { BATCH_BRANDS } from './feed.ts'
import type { BrandContent, OfferContent } from './normal-form.ts'

export type BrandRecord = { readonly brandUid: string; readonly content: BrandContent }
export type WholeBrandRecord = BrandRecord & {
  /** All offers, including retired ones, oldest first; null if there are none. */
  readonly offers: readonly { readonly offer_uid: string; readonly content: OfferContent }[] | null
}

/** Returns the select list for queries that alias `brands` as `b`. */
const wholeColumns = (reader: Reader) => reader`
  b.brand_uid, b.content, (
    select json_agg(json_build_object('offer_uid', o.offer_uid, 'content', v.content) order by o.ordinal)
    from offers o join offer_versions v on v.offer_uid = o.offer_uid and v.version = o.version
    where o.brand_uid = b.brand_uid
  ) as offers`

/** Streams all brands in catalog order, in batches. */
export function eachBrand(tx: Tx): AsyncIterable<WholeBrandRecord[]> {
  return inBatches(tx, BATCH_BRANDS, tx`select ${wholeColumns(tx)} from brands b order by b.ordinal`)
}

export async function findBrand(reader: Reader, brandUid: string): Promise<WholeBrandRecord | null> {
  const [brand] = await reader<WholeBrandRecord[]>`
    select ${wholeColumns(reader)} from brands b where b.brand_uid = ${brandUid}`
  return brand ?? null
}

export type OfferVersion = {
  readonly version: number
  readonly content: OfferContent
  readonly validFrom: Date
  readonly changedBy: string
}

/** Lists every version of an offer, oldest first. */
export async function listVersions(reader: Reader, offerUid: string): Promise<OfferVersion[]> {
  return reader<OfferVersion[]>`
    select version, content, valid_from, changed_by from offer_versions
    where offer_uid = ${offerUid} order by version`
}
