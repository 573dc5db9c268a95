/**
 * Affiliate: tracking links of offers, clicks on them, and what networks report of the resulting sales. Promises that a
 * link leads only to its offer's own address, that every report is kept as it came, that a click is kept as long as a
 * sale may come of it, and that each report by the network of a known click is announced once, as the fact `sale.reported` with its `postbackId`.
 */
export type { AffiliateRefusal } from './errors.ts'
export { createTrackingLinks, PROOF_LENGTH, type TrackingLinks } from './links.ts'
export { findNetwork, listUnknownReports, type ReportOfSale } from './queries.ts'
export { retainedClicks } from './retention.ts'
export { affiliateRoutes } from './routes.ts'
export { type Program, type SaleStatus, templateFault } from './rules.ts'
export { presentReport, UnknownReportsQuery, UnknownReportsSchema } from './schema.ts'
export {
  endPrograms,
  listReportsOfSale,
  savePrograms,
  setLockDays,
  setNetworkSecret,
} from './service.ts'
