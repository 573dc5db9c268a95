/**
 * Affiliate: tracking links of offers, clicks on them, and what networks report of the resulting sales. Promises that a
 * link leads only to its offer's own address, that every report of a sale is kept as it came, that a click is kept as
 * long as a sale may come of it, and that each report that is credited to a click is announced once, as the fact
 * `sale.reported` with its `postbackId`. `formats/` says how each network writes.
 */
export type { AffiliateRefusal } from './errors.ts'
export { FORMAT_NAMES, type FormatName, type Overrides } from './formats/index.ts'
export { checkReport, importReport, type SaleOfReport, salesOfReport } from './import-report.ts'
export { createTrackingLinks, PROOF_LENGTH, type TrackingLinks } from './links.ts'
export { findNetwork } from './network-queries.ts'
export { setFormat, setLockDays, setNetworkSecret, setWindowDays } from './networks.ts'
export type { ReportOfSale } from './postback-queries.ts'
export { type ClickOfUser, listClicksAround } from './queries.ts'
export { fetchNextReport } from './report-fetch.ts'
export { listNetworks, type NetworkState } from './report-queries.ts'
export { setReportSource, stopReports } from './report-source.ts'
export { retainedClicks } from './retention.ts'
export { affiliateRoutes } from './routes.ts'
export { type Program, type ReportedStatus, templateFault } from './rules.ts'
export { presentReport, UnknownReportsQuery, UnknownReportsSchema } from './schema.ts'
export { endPrograms, listReportsOfSale, savePrograms } from './service.ts'
export { assignReport, dismissReport } from './unmatched.ts'
export { listUnknownReports, waitingPostbacks } from './unmatched-queries.ts'
