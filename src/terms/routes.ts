import type { App } from '../platform/http/index.ts'
import { type OperationDeps, publisherOperations } from '../publishers/index.ts'
import { presentDocument, TermsSchema } from './schema.ts'
import { newestDocument } from './service.ts'

export function termsRoutes(app: App, deps: OperationDeps): void {
  const operation = publisherOperations(app, deps, 'Terms')
  operation('GET /terms', {
    config: { scope: 'terms:read' },
    id: 'getTerms',
    summary: 'The terms and conditions to be accepted',
    description:
      'The newest revision, which users may accept before it is required. Users who have not accepted the required revision are PENDING.',
    answer: TermsSchema,
    refusals: [404],
    example: { id: 1, url: 'https://example.com/terms/2024-12', revision: '2024-12' },
    handler: async () => presentDocument(await newestDocument(deps.db.reader)),
  })
}
