/**
 * Terms: the operator's documents, their revisions, and who accepted which when.
 * Promises that a recorded acceptance is never changed.
 */
export type { TermsRefusal } from './errors.ts'
export { insertAcceptance, listAcceptances, listDocuments, type TermsDocument } from './queries.ts'
export { termsRoutes } from './routes.ts'
export { publishTerms } from './service.ts'
