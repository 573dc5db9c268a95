import type { Catalog } from '../../../catalog/catalog/index.ts'
import type { Trace } from '../trace-schema.ts'

/** Adds the names of the judged offers to a decision, for readability, if the offers are still in the catalog. */
export function addOfferNames(trace: Trace, { offers }: Pick<Catalog, 'offers'>): Trace {
  const candidates = trace.candidates.map(({ offer_uid, ...judged }) => {
    const offer = offers.get(offer_uid)
    return { offer_uid, ...(offer === undefined ? {} : { offer_name: offer.name }), ...judged }
  })
  return { ...trace, candidates }
}
