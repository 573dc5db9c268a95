/**
 * Affiliate: offers' tracking links, the clicks on them, and the networks' reports of the resulting sales. Guarantees
 * that a link leads only to its offer's own URL, that every report of a sale is stored as received, that a click is
 * retained while it might still lead to a sale, and that each report credited to a click is announced once, as the fact
 * `sale.reported` with its `postbackId`. `formats/` describes the report format of each network.
 */
export { assignPostbackAs, dismissPostbackAs } from './decide-postback.ts'
export type { AffiliateRefusal } from './errors.ts'
export { FORMAT_NAMES, type FormatName, type Overrides } from './formats/index.ts'
export { createTrackingLinks, PROOF_LENGTH, type TrackingLinks } from './links.ts'
export type { Visitor } from './metrics.ts'
export { findNetwork } from './network-queries.ts'
export { setFormat, setLockDays, setNetworkSecret, setWindowDays } from './networks.ts'
export { operatorPostbackRoutes } from './operator-routes.ts'
export { type ClickOfUser, listClicksAround } from './queries.ts'
export { checkReport, importReport, readReportSales, type SaleOfReport } from './reports/import-report.ts'
export { fetchNextReport } from './reports/report-fetch.ts'
export { listNetworks, type NetworkState } from './reports/report-queries.ts'
export { setReportSource, stopReports } from './reports/report-source.ts'
export { retainedClicks } from './retention.ts'
export { affiliateRoutes } from './routes.ts'
export { findTemplateFault, type Program, type ReportedStatus } from './rules.ts'
export { listReportsOfSale, type ReportOfSale } from './sales/postback-queries.ts'
export { countWaitingPostbacks, UNKNOWN_POSTBACKS } from './sales/unmatched-queries.ts'
export { UNKNOWN_POSTBACK } from './schema.ts'
export { endPrograms, findLiveLink, recordVisit, savePrograms, trackingLinkNotFound } from './service.ts'
