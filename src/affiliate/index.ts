/**
 * Affiliate: tracking links of offers, the clicks on them, and the networks' reports of the resulting sales. Guarantees
 * that a link leads only to its offer's own URL, that every report of a sale is stored as received, that a click is
 * retained as long as it may lead to a sale, and that each report credited to a click is announced once, as the fact
 * `sale.reported` with its `postbackId`. `formats/` describes the report format of each network.
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
