import type { App } from '../../platform/http/index.ts'
import { type OperationDeps, publisherOperations } from '../../tenants/access/index.ts'
import { presentTerms, TermsSchema } from './schema.ts'
import { readCurrentTerms } from './service.ts'

export function termsRoutes(app: App, deps: OperationDeps): void {
  const operation = publisherOperations(app, deps, 'Terms')
  const announced = { id: 2, url: 'https://example.com/terms/2025-01', revision: '2025-01' }
  operation('GET /terms', {
    config: { scope: 'terms:read' },
    id: 'getTerms',
    summary: 'Get the terms and conditions to accept',
    description:
      'The revision that is required now and, separately, the announced revisions. Users who have accepted neither the required revision nor a later one are PENDING.',
    answer: TermsSchema,
    refusals: ['terms_not_published'],
    example: {
      id: 1,
      url: 'https://example.com/terms/2024-12',
      revision: '2024-12',
      announced: [{ ...announced, required_from: '2025-01-15T00:00:00.000Z' }],
    },
    handler: async ({ publisher, now }) => presentTerms(await readCurrentTerms(deps.db.reader, publisher.id, now)),
  })
}
