/**
 * Back office: what operators do across rooms. Opening and changing publishers, the overview, the search, the queues of
 * work that waits for a person, and the registration of all operator routes behind one guard.
 */

export { retryFactsAs } from './outbox.ts'
export { presentFailedFact } from './outbox-routes.ts'
export {
  addCurrencyAs,
  allowAs,
  changeSettingsAs,
  createPublisherWithKeyAs,
  disallowAs,
} from './publishers/publishers.ts'
export { operatorRoutes } from './routes.ts'
