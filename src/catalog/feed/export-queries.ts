import type { Reader, Tx } from '../../platform/database.ts'
import type { BrandContent, OfferContent } from '../import/normal-form.ts'
import { inBatches } from '../queries.ts'
import { BATCH_BRANDS } from './feed.ts'

type BrandRecord = { readonly brandUid: string; readonly content: BrandContent }
type OfferRecord = { readonly brandUid: string; readonly offerUid: string; readonly content: OfferContent }

/** All statements of this transaction see one instant, and none can write. Must come first. */
export async function readSnapshot(tx: Tx): Promise<void> {
  await tx`set transaction isolation level repeatable read read only`
}

/** All brands in the order of the catalog, in batches. */
export function eachBrand(tx: Tx): AsyncIterable<BrandRecord[]> {
  return inBatches(tx, BATCH_BRANDS, tx`select brand_uid, content from brands order by ordinal`)
}

export async function listBrandContents(reader: Reader, brandUids: readonly string[]): Promise<BrandRecord[]> {
  return reader<BrandRecord[]>`
    select brand_uid, content from brands
    where brand_uid = any(${brandUids as string[]}::text[]) order by ordinal`
}

/** The current offers of these brands, oldest first. */
export async function listOfferContents(reader: Reader, brandUids: readonly string[]): Promise<OfferRecord[]> {
  return reader<OfferRecord[]>`
    select o.brand_uid, o.offer_uid, v.content
    from offers o join offer_versions v on v.offer_uid = o.offer_uid and v.version = o.version
    where o.brand_uid = any(${brandUids as string[]}::text[])
    order by o.ordinal`
}

export type OfferVersion = {
  readonly version: number
  readonly content: OfferContent
  readonly validFrom: Date
  readonly changedBy: string
}

/** All states of an offer, oldest first. */
export async function listVersions(reader: Reader, offerUid: string): Promise<OfferVersion[]> {
  return reader<OfferVersion[]>`
    select version, content, valid_from, changed_by from offer_versions
    where offer_uid = ${offerUid} order by version`
}
