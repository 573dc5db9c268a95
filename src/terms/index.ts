/**
 * Terms: the operator's documents, their revisions, and who accepted which of them when.
 * Promises that an acceptance, once recorded, stays with its time.
 */
export type { TermsRefusal } from './errors.ts'
export { insertAcceptance, listAcceptances, listDocuments, type TermsDocument } from './queries.ts'
export { termsRoutes } from './routes.ts'
export { publishTerms } from './service.ts'
