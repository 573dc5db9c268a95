/**
 * Terms: the operator's documents for all publishers or for one, their revisions, and who accepted which revision and
 * when. Guarantees that a recorded acceptance never changes, and that users made PENDING by a revision can be found and
 * announced.
 */
export type { TermsRefusal } from './errors.ts'
export {
  advanceRollout,
  deleteRollout,
  insertAcceptance,
  listAcceptances,
  listAccepted,
  listAllDocuments,
  listDocuments,
  listRolloutPublishers,
  lockRollout,
  type TermsChanges,
  type TermsDocument,
} from './queries.ts'
export { termsRoutes } from './routes.ts'
export { findNewerThanAccepted, findRank, findRequiredRank, selectBinding, selectTermsAt } from './rules.ts'
export { ChangesSchema, NewChangesSchema, presentDocument } from './schema.ts'
export { openPublisher, planTerms, publishTerms, readCurrentTerms } from './service.ts'
