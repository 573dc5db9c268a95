/**
 * Back office: what operators do across rooms. Creates and changes publishers, provides the overview, search and queues
 * of work awaiting a person, and registers all operator routes behind one guard.
 */

export { retryFactsAs } from './outbox.ts'
export { FAILED_FACT } from './outbox-routes.ts'
export {
  addCurrencyAs,
  allowAs,
  changeSettingsAs,
  createPublisherWithKeyAs,
  disallowAs,
} from './publishers/publishers.ts'
export { operatorRoutes } from './routes.ts'
