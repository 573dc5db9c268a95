import type { CatalogOperatorDeps } from '../../catalog/catalog/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { invalidInput } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { listOperation, type OperatorOperation, presentRow, presentRows } from '../../tenants/access/index.ts'
import type { Actor } from '../../tenants/accounts/index.ts'
import { getPublisher, publisherNow } from '../../tenants/publishers/index.ts'
import { findAdjustment } from '../../users/adjustments/index.ts'
import { addOfferNames, getDecision, getTransaction, presentTransaction } from '../transactions/index.ts'
import { OPERATOR_ADJUSTMENT } from './adjustment-operator-routes.ts'
import { listCandidates } from './candidates.ts'
import type { Claim } from './claim.ts'
import { addClaimNoteAs, declineClaimAs, getClaim, grantByAdjustmentAs, grantByEventAs } from './decide-claim.ts'
import { estimateClaim } from './estimate.ts'
import { listNotes } from './note-queries.ts'
import * as schema from './operator-schema.ts'
import { CLAIM_LIST, type ClaimWithBrand } from './queries.ts'
import { ClaimParams, OperatorNoteBody } from './schema.ts'

/** Registers the routes for all publishers' claims and the decisions on them. */
export function operatorClaimRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/claims',
    permission: 'claims:read',
    id: 'listAllClaims',
    summary: 'List claims, nearest deadline first',
    description:
      'Only open claims, unless another status is given. A claim with an `adjustment_id` is waiting for another person.',
    list: CLAIM_LIST,
    resource: schema.OPERATOR_CLAIM,
    refusals: ['publisher_not_found'],
  })
  detailRoute(operation, deps)
  grantRoute(operation, deps)
  declineRoute(operation, deps)
  noteRoute(operation, deps)
}

function detailRoute(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('GET /operator/claims/:claim_id', {
    config: { permission: 'claims:read' },
    id: 'getAnyClaim',
    summary: 'Get a claim with everything needed to decide it',
    description:
      "Includes its notes, the full decision on its purchase, and what it could refer to: the user's purchases, clicks and unmatched refunds around that day.",
    params: ClaimParams,
    answer: schema.ClaimDetailSchema,
    example: schema.claimDetailExample,
    refusals: ['claim_not_found', 'publisher_not_found'],
    serializerCompiler: () => JSON.stringify,
    handler: async ({ params }) => {
      return (await readDetail(deps, await getClaim(deps.db.reader, params.claim_id))) as never
    },
  })
}

async function readDetail(deps: CatalogOperatorDeps, claim: ClaimWithBrand) {
  const { reader } = deps.db
  const publisher = await getPublisher(reader, claim.publisherId)
  const about =
    claim.transactionId === null ? null : await getTransaction(reader, publisher, encodeId('txn', claim.transactionId))
  const current = await deps.catalog.current()
  const [shown, notes, explained, candidates, adjustment] = await Promise.all([
    presentRow(reader, schema.OPERATOR_CLAIM, claim),
    listNotes(reader, claim),
    about === null ? null : getDecision(reader, publisher, about, publisherNow(publisher, deps.clock)),
    listCandidates(reader, publisher, current, claim, about),
    claim.adjustmentId === null ? null : findAdjustment(reader, claim.adjustmentId),
  ])
  const name = claim.publisherUserId
  return {
    ...shown,
    notes: await presentRows(reader, schema.OPERATOR_NOTE, notes),
    transaction: about === null ? null : presentTransaction(about, name),
    decision: explained === null ? null : addOfferNames(explained.trace, current),
    adjustment: adjustment === null ? null : await presentRow(reader, OPERATOR_ADJUSTMENT, adjustment),
    would_earn: await estimateClaim(deps, publisher, claim, about, name),
    candidates: schema.presentCandidates(candidates, name),
  }
}

function grantRoute(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('POST /operator/claims/:claim_id/grant', {
    config: { permission: 'claims:decide' },
    id: 'grantClaim',
    summary: 'Grant a claim with a source event or an adjustment',
    description:
      "The event is recorded as if the publisher had reported it. It must earn something; if it earns more than the publisher's limit, it must already have been reported. An adjustment above that limit leaves the claim open until another operator with the finance role books it.",
    params: ClaimParams,
    body: schema.GrantBody,
    bodyExample: {
      event: { source: 'OTHER', external_id: 'ticket-4711', brand_uid: 'brand-market', amount: 84.5, currency: 'USD' },
    },
    answer: schema.OPERATOR_CLAIM.schema,
    example: schema.grantedExample,
    refusals: [
      'amount_invalid',
      'date_invalid',
      'currency_unknown',
      'brand_unknown',
      'offer_unknown',
      'adjustment_invalid',
      'claim_not_found',
      'publisher_not_found',
      'user_not_found',
      'claim_earns_nothing',
      'claim_decided',
      'claim_waiting',
      'event_conflict',
      'claim_above_limit',
      'adjustment_conflict',
      'adjustment_too_large',
    ],
    handler: async ({ params, body, actor, once }) => {
      const { event, adjustment } = body
      if ((event === undefined) === (adjustment === undefined))
        throw invalidInput([{ field: 'event', code: 'required', message: 'or adjustment is required, but not both' }])
      if (event !== undefined) await deps.catalog.lookFor([{ brandUid: event.brand_uid, offerUid: event.offer_uid }])
      return decided(once, params, (tx, claimUid) => grant(tx, deps, { claimUid, by: actor, ...body }))
    },
  })
}

async function grant(
  tx: Tx,
  deps: CatalogOperatorDeps,
  { event, adjustment, ...named }: schema.Grant & { readonly claimUid: string; readonly by: Actor },
): Promise<Claim> {
  if (event !== undefined) return grantByEventAs(tx, deps, { ...named, event })
  if (adjustment === undefined) throw new Error('the route has validated that one of them is present')
  const { paid_by: paidBy = 'service', ...asked } = adjustment
  return grantByAdjustmentAs(tx, deps.clock, { ...named, adjustment: { ...asked, paidBy } })
}

function declineRoute(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('POST /operator/claims/:claim_id/decline', {
    config: { permission: 'claims:decide' },
    id: 'declineClaim',
    summary: 'Decline a claim',
    description: 'The publisher sees the reason and the text.',
    params: ClaimParams,
    body: schema.DeclineClaimBody,
    bodyExample: { reason: 'no_purchase_found', text: 'The shop has no record of this order.' },
    answer: schema.OPERATOR_CLAIM.schema,
    example: schema.declinedExample,
    refusals: ['claim_not_found', 'publisher_not_found', 'claim_decided', 'claim_waiting'],
    handler: ({ params, body, actor: by, once }) =>
      decided(once, params, (tx, claimUid) => declineClaimAs(tx, deps.clock, { claimUid, by, ...body })),
  })
}

function noteRoute(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('POST /operator/claims/:claim_id/notes', {
    config: { permission: 'claims:decide' },
    id: 'addOperatorClaimNote',
    summary: 'Add a note to an open claim',
    description: 'The publisher sees the note but not its author.',
    params: ClaimParams,
    body: OperatorNoteBody,
    bodyExample: { text: 'We have asked the shop.' },
    answer: schema.OPERATOR_CLAIM.schema,
    example: schema.OPERATOR_CLAIM.example,
    refusals: ['claim_not_found', 'publisher_not_found', 'claim_decided', 'claim_notes_full'],
    handler: ({ params, body, actor: by, once }) =>
      decided(once, params, (tx, claimUid) => addClaimNoteAs(tx, deps.clock, { claimUid, by, ...body })),
  })
}

/** Changes a claim once and presents the stored result. */
function decided(
  once: <T>(verb: (tx: Tx) => Promise<T>) => Promise<T>,
  { claim_id }: { readonly claim_id: string },
  change: (tx: Tx, claimUid: string) => Promise<Claim>,
) {
  return once(async (tx) => {
    await change(tx, claim_id)
    return presentRow(tx, schema.OPERATOR_CLAIM, await getClaim(tx, claim_id))
  })
}
