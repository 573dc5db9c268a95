import type { Database } from '../platform/database.ts'
import { type App, operation } from '../platform/http/index.ts'
import { presentDocument, TermsSchema } from './schema.ts'
import { newestDocument } from './service.ts'

export function termsRoutes(app: App, deps: { readonly db: Database }): void {
  app.get(
    '/terms',
    operation({
      config: { scope: 'terms:read' },
      id: 'getTerms',
      summary: 'The terms and conditions to be accepted',
      tag: 'Terms',
      answer: TermsSchema,
      refusals: [404],
      example: { id: 1, url: 'https://example.com/terms/2024-12', revision: '2024-12' },
    }),
    async () => presentDocument(await newestDocument(deps.db.reader)),
  )
}
