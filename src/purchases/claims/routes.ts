import Type, { type Static } from 'typebox'
import type { CatalogStore } from '../../catalog/catalog/index.ts'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import {
  type App,
  buildPage,
  invalidInput,
  namedObject,
  nullable,
  pageExample,
  pageSchema,
  readPaging,
} from '../../platform/http/index.ts'
import { encodeId, toUserId } from '../../platform/ids.ts'
import { toMinor } from '../../platform/money.ts'
import { type OperationDeps, type PublisherOperation, publisherOperations } from '../../tenants/access/index.ts'
import { type Publisher, resolveCurrency } from '../../tenants/publishers/index.ts'
import { getUser } from '../../users/users/index.ts'
import { buildUserView, getDecision, getTransaction, UserViewSchema } from '../transactions/index.ts'
import { CLAIM, type Claim, NOTE } from './claim.ts'
import { listNotes } from './note-queries.ts'
import { CLAIM_SORTS, countClaims, findClaim, listClaims } from './queries.ts'
import { claimNotFound } from './record.ts'
import { needsTransaction } from './rules.ts'
import * as schema from './schema.ts'
import { addNote, claimIdIn, type NewClaim, openClaim, withdrawClaim } from './service.ts'

type Deps = OperationDeps & { readonly catalog: Pick<CatalogStore, 'getAssortment' | 'lookFor'> }

export function claimRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Claims')
  openRoute(operation, deps)
  readRoutes(operation, deps)
  changeRoutes(operation)
}

function openRoute(operation: PublisherOperation, { catalog }: Deps): void {
  operation('POST /claims', {
    config: { scope: 'transactions:write' },
    id: 'openClaim',
    summary: 'Claim a reward that is missing or wrong',
    description:
      'A person at the operating company decides the claim by the deadline; the event `claim.decided` reports the decision.',
    body: schema.NewClaimSchema,
    bodyExample: {
      publisher_user_id: 'user-1',
      external_ref: 'ticket-4711',
      kind: 'missing',
      brand_uid: 'brand-market',
      purchase_date: '2026-11-14',
      amount: 84.5,
      order_id: '1001',
      merchant: 'Corner Market',
      evidence: 'I paid in the shop on Main Street. The receipt number is 1001.',
    },
    answer: CLAIM.schema,
    example: CLAIM.example,
    refusals: [
      'currency_unknown',
      'date_invalid',
      'brand_unknown',
      'offer_unknown',
      'user_not_found',
      'transaction_not_found',
      'claim_conflict',
    ],
    handler: async ({ body, publisher, now, once }) => {
      const claim = parseClaim(body, publisher)
      await catalog.lookFor([{ brandUid: body.brand_uid, offerUid: body.offer_uid }])
      const assortment = await catalog.getAssortment(publisher)
      return once(async (tx) => CLAIM.present(await openClaim(tx, publisher, assortment, claim, now)))
    },
  })
}

function parseClaim(body: Static<typeof schema.NewClaimSchema>, publisher: Publisher): NewClaim {
  if (needsTransaction(body.kind) && body.transaction_uid === undefined) {
    const message = `is required for a claim of kind ${body.kind}`
    throw invalidInput([{ field: 'transaction_uid', code: 'required', message }])
  }
  const { opened_by: openedBy = 'user' } = body
  const currency = resolveCurrency(publisher, body.currency)
  const amount = body.amount === undefined ? null : toMinor(body.amount, currency)
  if (body.amount !== undefined && amount === null) {
    const message = `must have no more decimal places than ${currency} allows`
    throw invalidInput([{ field: 'amount', code: 'invalid', message }])
  }
  return {
    publisherUserId: body.publisher_user_id,
    externalRef: body.external_ref,
    kind: body.kind,
    openedBy,
    transactionUid: body.transaction_uid ?? null,
    brandUid: body.brand_uid ?? null,
    offerUid: body.offer_uid ?? null,
    purchaseDate: body.purchase_date ?? null,
    amount,
    currency: amount === null ? null : currency,
    orderId: body.order_id ?? null,
    merchant: body.merchant ?? null,
    evidence: body.evidence ?? null,
  }
}

function readRoutes(operation: PublisherOperation, { db: { reader } }: Deps): void {
  operation('GET /claims', {
    config: { scope: 'transactions:read' },
    id: 'listClaims',
    summary: 'List claims',
    description: 'For all users or for a single user, newest first.',
    query: schema.ClaimQuery,
    answer: pageSchema(CLAIM.schema),
    example: pageExample([CLAIM.example]),
    refusals: ['user_not_found'],
    handler: async ({ query, publisher, now }) => {
      const paging = readPaging(query, CLAIM_SORTS)
      const { publisher_user_id, status = null, kind = null, start_date, end_date } = query
      if (publisher_user_id !== undefined) await getUser(reader, publisher, publisher_user_id, now)
      const filter = {
        userId: publisher_user_id === undefined ? null : toUserId(publisher.id, publisher_user_id),
        status,
        kind,
        from: start_date === undefined ? null : startOfDay(start_date, publisher.timeZone),
        until: end_date === undefined ? null : startOfDay(addDays(end_date, 1), publisher.timeZone),
      }
      const [rows, total] = await Promise.all([
        listClaims(reader, publisher.id, filter, paging),
        countClaims(reader, publisher.id, filter),
      ])
      return buildPage(rows.map(CLAIM.present), total, paging)
    },
  })

  operation('GET /claims/:claim_id', {
    config: { scope: 'transactions:read' },
    id: 'getClaim',
    summary: 'Get a claim with its notes and the decision on its purchase',
    description: 'The decision is the one returned by GET /transactions/{transaction_uid}/decision with view=user.',
    params: schema.ClaimParams,
    answer: namedObject('ClaimDetail', {
      ...CLAIM.schema.properties,
      notes: Type.Array(NOTE.schema, { description: 'Evidence and comments, oldest first.' }),
      decision: nullable(
        Type.Object(UserViewSchema.properties, {
          description: 'Why the purchase earns what it earns, or null if the claim does not refer to a purchase.',
        }),
      ),
    }),
    example: { ...CLAIM.example, notes: [NOTE.example], decision: null },
    refusals: ['claim_not_found'],
    serializerCompiler: () => JSON.stringify,
    handler: async ({ params, publisher, now }) => {
      const claim = await findClaim(reader, publisher.id, claimIdIn(params.claim_id))
      if (claim === null) throw claimNotFound()
      const [notes, decision] = await Promise.all([
        listNotes(reader, claim),
        readDecision(reader, publisher, claim, now),
      ])
      return { ...CLAIM.present(claim), notes: notes.map(NOTE.present), decision }
    },
  })
}

async function readDecision(reader: Reader, publisher: Publisher, { transactionId }: Claim, now: Date) {
  if (transactionId === null) return null
  const transaction = await getTransaction(reader, publisher, encodeId('txn', transactionId))
  return buildUserView(await getDecision(reader, publisher, transaction, now))
}

function changeRoutes(operation: PublisherOperation): void {
  operation('POST /claims/:claim_id/notes', {
    config: { scope: 'transactions:write' },
    id: 'addClaimNote',
    summary: 'Add evidence or a remark to an open claim',
    description: 'Notes cannot be changed.',
    params: schema.ClaimParams,
    body: schema.NoteBody,
    bodyExample: { author: 'user', text: 'Here is the receipt number: 1001.' },
    answer: CLAIM.schema,
    example: CLAIM.example,
    refusals: ['claim_not_found', 'claim_decided', 'claim_notes_full'],
    handler: async ({ params, body: { author = 'publisher', text }, publisher, now, once }) => {
      const claimId = claimIdIn(params.claim_id)
      return once(async (tx) => CLAIM.present(await addNote(tx, publisher, { claimId, author, text }, now)))
    },
  })

  operation('POST /claims/:claim_id/withdraw', {
    config: { scope: 'transactions:write' },
    id: 'withdrawClaim',
    summary: 'Withdraw an open claim',
    description: 'Withdrawing a claim again has no effect.',
    params: schema.ClaimParams,
    answer: CLAIM.schema,
    example: { ...CLAIM.example, status: 'withdrawn', version: 2, decided_at: '2026-11-22T10:15:30.000Z' },
    refusals: ['claim_not_found', 'claim_decided', 'claim_waiting'],
    handler: async ({ params, publisher, now, once }) => {
      const claimId = claimIdIn(params.claim_id)
      return once(async (tx) => CLAIM.present(await withdrawClaim(tx, publisher, claimId, now)))
    },
  })
}
