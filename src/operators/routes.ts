import { type App, operation } from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import { assortmentRoutes } from './assortment-routes.ts'
import { operatorOf } from './authenticate.ts'
import { operatorCatalogRoutes } from './catalog-routes.ts'
import type { OperatorDeps } from './deps.ts'
import { listAudit } from './queries.ts'
import { operatorRematchRoutes } from './rematch-routes.ts'
import { operatorReviewRoutes } from './review-routes.ts'
import { AuditQuery, AuditSchema, presentAudit, WhoSchema } from './schema.ts'

const AUDIT_LIMIT = 100

/** Everything under `/operator/`; the app it is registered on is guarded by authenticateOperators. */
export function operatorRoutes(app: App, deps: OperatorDeps): void {
  operatorCatalogRoutes(app, deps)
  assortmentRoutes(app, deps)
  operatorReviewRoutes(app, deps)
  operatorRematchRoutes(app, deps)
  app.get(
    '/operator/me',
    operation({
      config: { roles: ['catalog', 'support'] },
      id: 'getOperator',
      summary: 'The operator of this key',
      description: 'Shows which key this is, and that it is live.',
      tag: 'Operators',
      answer: WhoSchema,
      example: { operator_id: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v', name: 'Ada', role: 'catalog' },
    }),
    async (request) => {
      const { id, name, role } = operatorOf(request)
      return { operator_id: encodeId('opr', id), name, role }
    },
  )

  app.get(
    '/operator/audit',
    operation({
      id: 'listAudit',
      summary: 'The audit log, newest first',
      description: 'Each entry is written in the same commit as its action, and never changed.',
      tag: 'Operators',
      query: AuditQuery,
      answer: AuditSchema,
      example: {
        content: [
          {
            at: '2026-11-21T10:15:30.000Z',
            actor: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
            actor_name: 'Ada',
            action: 'catalog.imported',
            subject: 'catalog',
            before: null,
            after: { version: 17, offers_changed: 2 },
          },
        ],
      },
    }),
    async (request) => {
      const { subject = null, actor = null, limit = AUDIT_LIMIT } = request.query
      return { content: (await listAudit(deps.db.reader, { subject, actor, limit })).map(presentAudit) }
    },
  )
}
