import Type from 'typebox'
import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import { createConcurrencyLimit } from '../../platform/http/concurrency-limit.ts'
import {
  idField,
  namedStrictObject,
  pageExample,
  pageOf,
  pageQuery,
  pageSchema,
  patternField,
  sortOf,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { type OperatorOperation, publisherIdIn } from '../../tenants/access/index.ts'
import type { Actor } from '../../tenants/accounts/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import { listChanges, listRematches } from './rematch/queries.ts'
import {
  filterOfDays,
  PreviewSchema,
  presentChange,
  presentPreview,
  presentRematch,
  previewExample,
  RematchChangeSchema,
  RematchFilterSchema,
  RematchSchema,
  rematchExample,
} from './rematch/schema.ts'
import { getRematch, previewRematch } from './rematch/service.ts'
import { applyRematchAs, undoRematchAs } from './rematch-by-operator.ts'

// Takes some ten seconds. Larger re-matches use the command.
const PURCHASES_MAX = 10_000
const LIMIT = 50
const filterExample = { publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', template: 'corner market kiosk' }
const asked = { publisher_id: idField('The publisher (pub_…).'), ...RematchFilterSchema.properties }
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
const ListQuery = strictObject({
  publisher_id: idField('The publisher (pub_…).'),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Defaults to 50.' })),
})

// Re-matches have a single sort order.
const { sort: _, ...paged } = pageQuery

/** Registers the routes for deciding purchases again after a correction. */
export function operatorRematchRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  const limit = createConcurrencyLimit('Only one re-match of an operator runs at a time; wait for the running one.')
  // A call can take ten seconds, so limiting calls per second is not enough.
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
      const publisher = await publisherNamed(deps, body.publisher_id)
      const filter = filterOfDays(publisher, body)
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
    answer: RematchSchema,
    example: rematchExample,
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
      const publisher = await publisherNamed(deps, publisher_id)
      const order = { filter: filterOfDays(publisher, body), by: actor.name, reason, expected: hash }
      const apply = () => applyRematchAs(deps, publisher, order, actor, { ...deps, max: PURCHASES_MAX })
      const done = await alone(actor, apply)
      return presentRematch(publisher, done)
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
    params: Type.Object({ rematch_uid: idField('The re-match.') }),
    answer: RematchSchema,
    example: { ...rematchExample, undoes: 'rmt_01kbjyt5v3f4nvj5yq5yfypr9w' },
    refusals: ['rematch_not_found', 'publisher_not_found', 'rematch_undone'],
    handler: async ({ params, actor }) => {
      const uid = params.rematch_uid
      const { publisher, rematch } = await alone(actor, () => undoRematchAs(deps, uid, actor.name, actor, deps))
      return presentRematch(publisher, rematch)
    },
  })
}

function readRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('GET /operator/rematches', {
    config: { permission: 'rematches:read' },
    id: 'listRematches',
    summary: "List a publisher's re-matches, newest first",
    description: 'Includes undone re-matches; an undo names the re-match it undoes.',
    query: ListQuery,
    answer: Type.Object({ content: Type.Array(RematchSchema) }),
    example: { content: [rematchExample] },
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const publisher = await publisherNamed(deps, query.publisher_id)
      const rematches = await listRematches(deps.db.reader, publisher.id, query.limit ?? LIMIT)
      return { content: rematches.map((one) => presentRematch(publisher, one)) }
    },
  })

  operation('GET /operator/rematches/:rematch_uid/changes', {
    config: { permission: 'rematches:read' },
    id: 'listRematchChanges',
    summary: 'List the purchases changed by a re-match',
    description: 'Each purchase has its state before and after the re-match, excluding later changes.',
    params: Type.Object({ rematch_uid: idField('The re-match.') }),
    query: strictObject(paged),
    answer: pageSchema(RematchChangeSchema),
    example: pageExample(previewExample.changes),
    refusals: ['rematch_not_found', 'publisher_not_found'],
    handler: async ({ params, query }) => {
      const { publisherId, rematchId, changed } = await getRematch(deps.db, params.rematch_uid)
      const publisher = await getPublisher(deps.db.reader, publisherId)
      const paging = sortOf(query, [])
      const changes = await listChanges(deps.db.reader, publisherId, rematchId, paging)
      return pageOf(
        changes.map((one) => presentChange(publisher, one)),
        changed,
        paging,
      )
    },
  })
}

async function publisherNamed({ db }: CatalogOperatorDeps, text: string): Promise<Publisher> {
  return getPublisher(db.reader, publisherIdIn(text))
}
