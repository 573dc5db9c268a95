/**
 * Affiliate: where offers' links lead, who followed one, what networks report of the sales that came of it.
 * Promises that a link leads only to its offer's own address, that every click and report is kept as it came, and that
 * a known sale is told once, as the fact `sale.reported` with its `postbackId`.
 */
export type { AffiliateRefusal } from './errors.ts'
export { createTrackingLinks, PROOF_LENGTH, type TrackingLinks } from './links.ts'
export type { Postback } from './queries.ts'
export { affiliateRoutes } from './routes.ts'
export { completeTemplate, type Program, type SaleStatus, templateFault } from './rules.ts'
export {
  endPrograms,
  listClicks,
  listReportsUpTo,
  listUnknownPostbacks,
  savePrograms,
  setNetworkSecret,
} from './service.ts'
