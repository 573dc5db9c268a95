import Type, { type Static } from 'typebox'
import { startOfDay, toDay } from '../../platform/calendar.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import {
  idField,
  instantField,
  namedObject,
  namedStrictObject,
  nullable,
  strictObject,
  textField,
  webAddress,
} from '../../platform/http/index.ts'
import { encodeId, type PublisherId } from '../../platform/ids.ts'
import { faultAt, type OperatorDeps, type OperatorOperation, parsePublisherId } from '../../tenants/access/index.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import {
  ChangesSchema,
  listAllDocuments,
  NewChangesSchema,
  planTerms,
  presentDocument,
  publishTerms,
  type TermsChanges,
  type TermsDocument,
} from '../terms/index.ts'
import { countActive } from './require-terms.ts'

const PublishedSchema = namedObject('PublishedTerms', {
  id: Type.Integer({ description: 'ID of the document.' }),
  publisher_id: nullable(
    Type.String({
      description:
        'The publisher whose users it binds; null if it binds the users of all publishers without terms of their own.',
    }),
  ),
  url: Type.String({ description: 'URL of the document.' }),
  revision: Type.String({ description: 'Version of the document.' }),
  required_from: instantField('When users who have not accepted it become PENDING.'),
  changes: Type.Optional(ChangesSchema),
})
const PlanQuery = {
  publisher_id: Type.Optional(
    idField('The publisher whose users it binds; by default, the users of all publishers without terms of their own.'),
  ),
  required_from: Type.Optional(
    instantField('Not before today. Defaults to 30 days from now, or to now for the first revision.'),
  ),
}
const PlanSchema = namedObject('TermsPlan', {
  required_from: instantField('When it would become required.'),
  publishers: Type.Integer({ description: 'Number of publishers whose users it would bind.' }),
  pending_users: Type.Integer({ description: 'Number of users who would be PENDING until they accept it.' }),
})

const example: Static<typeof PublishedSchema> = {
  id: 7,
  publisher_id: null,
  url: 'https://example.com/terms',
  revision: '2026-11',
  required_from: '2026-12-21T00:00:00.000Z',
  changes: { en: 'Gift cards can now be bought with cashback.' },
}

/** Registers the routes for the terms of the service and of individual publishers, equivalent to `laurel terms`. */
export function operatorTermsRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  operation('GET /operator/terms', {
    config: { permission: 'terms:read' },
    id: 'listPublishedTerms',
    summary: 'List revisions of terms, oldest first',
    description: 'Includes the terms of the service and of publishers.',
    query: strictObject({ publisher_id: Type.Optional(idField('Only terms for the users of this publisher.')) }),
    answer: Type.Object({ content: Type.Array(PublishedSchema) }),
    example: { content: [example] },
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const publisherId = query.publisher_id === undefined ? null : parsePublisherId(query.publisher_id)
      const all = await listAllDocuments(db.reader)
      return { content: all.filter((one) => publisherId === null || one.publisherId === publisherId).map(present) }
    },
  })

  operation('POST /operator/terms/preview', {
    config: { permission: 'terms:read' },
    id: 'previewTerms',
    summary: 'Preview how many users a new revision would affect',
    description: 'Publishes nothing.',
    body: namedStrictObject('TermsPlanRequest', PlanQuery),
    bodyExample: { required_from: '2999-01-01T00:00:00Z' },
    answer: PlanSchema,
    example: { required_from: '2999-01-01T00:00:00.000Z', publishers: 3, pending_users: 1234 },
    refusals: ['publisher_not_found'],
    unkept: true,
    handler: async ({ body }) => {
      const { requiredFrom, publishers, pendingUsers } = await readPlan(db.reader, clock, askedIn(body))
      return { required_from: requiredFrom.toISOString(), publishers, pending_users: pendingUsers }
    },
  })

  operation('POST /operator/terms', {
    config: { permission: 'terms:publish' },
    id: 'publishTerms',
    summary: 'Publish a revision of terms',
    description: 'From the day it is required, the users it binds are PENDING until they accept it.',
    body: namedStrictObject('NewTerms', {
      url: webAddress('URL of the document.'),
      revision: textField(255, 'Version of the document, such as 2026-11.'),
      changes: Type.Optional(NewChangesSchema),
      ...PlanQuery,
    }),
    bodyExample: {
      url: 'https://example.com/terms',
      revision: '2026-11',
      required_from: '2999-01-01T00:00:00Z',
      changes: { en: 'Gift cards can now be bought with cashback.' },
    },
    answer: PublishedSchema,
    example,
    refusals: ['publisher_not_found', 'terms_revision_exists'],
    handler: async ({ body, actor, once }) => {
      const { url, revision, changes = {} } = body
      const input = { url, revision, changes, ...askedIn(body) }
      return once(async (tx) => present(await publishTermsAs(tx, input, actor, clock)))
    },
  })
}

type Asked = { readonly publisherId: PublisherId | null; readonly requiredFrom: Date | undefined }

function askedIn(body: { readonly publisher_id?: string; readonly required_from?: string }): Asked {
  const { publisher_id, required_from } = body
  return {
    publisherId: publisher_id === undefined ? null : parsePublisherId(publisher_id),
    requiredFrom: required_from === undefined ? undefined : new Date(required_from),
  }
}

/** Plans new terms. For a sandbox, the notice period follows the sandbox's clock. */
async function readPlan(reader: Reader, clock: Clock, { publisherId, requiredFrom }: Asked) {
  const now = publisherId === null ? clock.now() : publisherNow(await getPublisher(reader, publisherId), clock)
  if (requiredFrom !== undefined && requiredFrom < startOfDay(toDay(now, 'UTC'), 'UTC'))
    throw faultAt('required_from', `must not be before today, ${toDay(now, 'UTC')}`)
  const plan = await planTerms(reader, publisherId, requiredFrom, now)
  const pendingUsers = await countActive(reader, plan.boundIds, clock)
  return { now, requiredFrom: plan.requiredFrom, publishers: plan.boundIds.length, pendingUsers }
}

async function publishTermsAs(
  tx: Tx,
  input: Asked & { readonly url: string; readonly revision: string; readonly changes: TermsChanges },
  by: Actor,
  clock: Clock,
): Promise<TermsDocument> {
  const { now, requiredFrom, pendingUsers } = await readPlan(tx, clock, input)
  const document = await publishTerms(tx, { ...input, requiredFrom }, now)
  const after = { ...present(document), pending_users: pendingUsers }
  await audit(tx, { actor: by, action: 'terms.published', subject: `terms ${document.documentId}`, after }, clock.now())
  return document
}

function present(document: TermsDocument): Static<typeof PublishedSchema> {
  const { publisherId } = document
  return { ...presentDocument(document), publisher_id: publisherId === null ? null : encodeId('pub', publisherId) }
}
