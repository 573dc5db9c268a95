import Type, { type Static } from 'typebox'
import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import { createConcurrencyLimit } from '../../platform/http/concurrency-limit.ts'
import { idField, namedStrictObject, patternField, textField } from '../../platform/http/index.ts'
import { listOperation, type OperatorOperation, parsePublisherId } from '../../tenants/access/index.ts'
import type { Actor } from '../../tenants/accounts/index.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import { CHANGE_LIST, changedBy, REMATCH_LIST } from './rematch/queries.ts'
import { REMATCH } from './rematch/rematch.ts'
import {
  CHANGED_PURCHASE,
  PreviewSchema,
  parseDayFilter,
  presentPreview,
  previewExample,
  RematchFilterSchema,
} from './rematch/schema.ts'
import { getRematch, previewRematch } from './rematch/service.ts'
import { applyRematchAs, undoRematchAs } from './rematch-by-operator.ts'

// Re-matching this many purchases takes about ten seconds. Larger re-matches require the CLI.
const PURCHASES_MAX = 10_000
const filterExample = { publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', template: 'corner market kiosk' }
const asked = { publisher_id: idField('The publisher (pub_…).'), ...RematchFilterSchema.properties }
const RematchParams = Type.Object({ rematch_uid: idField('The re-match.') })
const PreviewBody = namedStrictObject('NewRematchPreview', asked)
const OrderBody = namedStrictObject('NewRematch', {
  ...asked,
  reason: textField(1_000, 'Why the re-match is needed. Stored with it.'),
  hash: Type.Optional(
    patternField('^[0-9a-f]{64}$', 'the hash of a preview (64 lowercase hexadecimal digits)', {
      description: 'Hash of a preview. The re-match is refused if the result would differ.',
    }),
  ),
})
/** Registers the routes for deciding purchases again after a correction. */
export function operatorRematchRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  const limit = createConcurrencyLimit(
    'An operator can run only one re-match at a time; wait for the current one to finish.',
  )
  // A call can take ten seconds, so a limit on calls per second is not enough.
  const alone: Alone = async ({ id }, work) => {
    const end = limit.start(id)
    try {
      return await work()
    } finally {
      end()
    }
  }
  decideRoutes(operation, deps, alone)
  readRoutes(operation, deps)
  undoRoute(operation, deps, alone)
}

type Alone = <T>(actor: Actor, work: () => Promise<T>) => Promise<T>

function decideRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps, alone: Alone): void {
  operation('POST /operator/rematches/preview', {
    config: { permission: 'rematches:read' },
    id: 'previewRematch',
    summary: 'Preview a re-match with the current catalog',
    description: `Changes nothing. Up to ${PURCHASES_MAX} purchases; \`laurel rematch preview\` accepts more.`,
    body: PreviewBody,
    bodyExample: filterExample,
    answer: PreviewSchema,
    example: previewExample,
    refusals: ['rematch_unbounded', 'date_invalid', 'publisher_not_found', 'brand_unknown', 'rematch_too_large'],
    unkept: true,
    handler: async ({ body, actor }) => {
      const publisher = await getPublisher(deps.db.reader, parsePublisherId(body.publisher_id))
      const filter = parseDayFilter(publisher, body)
      const now = publisherNow(publisher, deps.clock)
      const preview = () => previewRematch(deps, publisher, filter, now, PURCHASES_MAX)
      return presentPreview(publisher, await alone(actor, preview))
    },
  })

  operation('POST /operator/rematches', {
    config: { permission: 'rematches:run' },
    id: 'applyRematch',
    summary: 'Re-decide purchases with the current catalog',
    description: 'The only operation that changes frozen terms. Repeating it changes nothing.',
    body: OrderBody,
    bodyExample: { ...filterExample, reason: 'The kiosk is the Corner Market', hash: previewExample.hash },
    answer: REMATCH.schema,
    example: REMATCH.example,
    refusals: [
      'rematch_unbounded',
      'date_invalid',
      'publisher_not_found',
      'brand_unknown',
      'rematch_differs',
      'rematch_too_large',
    ],
    unkept: true,
    handler: async ({ body, actor }) => {
      const { publisher_id, reason, hash = null } = body
      const publisher = await getPublisher(deps.db.reader, parsePublisherId(publisher_id))
      const order = { filter: parseDayFilter(publisher, body), by: actor.name, reason, expected: hash }
      const apply = () => applyRematchAs(deps, publisher, order, actor, { ...deps, max: PURCHASES_MAX })
      return REMATCH.present(await alone(actor, apply))
    },
  })
}

function undoRoute(operation: OperatorOperation, deps: CatalogOperatorDeps, alone: Alone): void {
  operation('POST /operator/rematches/:rematch_uid/undo', {
    config: { permission: 'rematches:run' },
    id: 'undoRematch',
    summary: 'Undo a re-match',
    description:
      'Purchases decided again since the re-match are left unchanged and counted. Works once; an undo can itself be undone.',
    params: RematchParams,
    answer: REMATCH.schema,
    example: { ...REMATCH.example, undoes: 'rmt_01kbjyt5v3f4nvj5yq5yfypr9w' },
    refusals: ['rematch_not_found', 'rematch_undone'],
    handler: async ({ params, actor }) => {
      const uid = params.rematch_uid
      return REMATCH.present(await alone(actor, () => undoRematchAs(deps, uid, actor.name, actor, deps)))
    },
  })
}

function readRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/rematches',
    permission: 'rematches:read',
    id: 'listRematches',
    summary: 'List re-matches, newest first',
    description: 'Includes undone re-matches.',
    list: REMATCH_LIST,
    resource: REMATCH,
    refusals: ['publisher_not_found'],
  })

  listOperation(operation, deps.db, {
    route: 'GET /operator/rematches/:rematch_uid/changes',
    permission: 'rematches:read',
    id: 'listRematchChanges',
    summary: 'List the purchases changed by a re-match',
    description: 'Each purchase has its state before and after the re-match, excluding later changes.',
    params: RematchParams,
    list: CHANGE_LIST,
    complete: async ({ rematch_uid }: Static<typeof RematchParams>) =>
      changedBy(await getRematch(deps.db, rematch_uid)),
    resource: CHANGED_PURCHASE,
    refusals: ['rematch_not_found'],
  })
}
