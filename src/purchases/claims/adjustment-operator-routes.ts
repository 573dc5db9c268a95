import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import {
  currencyField,
  enumOf,
  idField,
  invalidInput,
  namedObject,
  namedStrictObject,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { encodeId, type UserId, userIdOf } from '../../platform/ids.ts'
import { AMOUNT_MAX, toMinor } from '../../platform/money.ts'
import {
  actorNameField,
  type OperatorDeps,
  type OperatorOperation,
  publisherIdIn,
  withActorNames,
} from '../../tenants/access/index.ts'
import { currencyNamed, getPublisher, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import {
  ADJUSTMENT_KINDS,
  ADJUSTMENT_STATUSES,
  type Adjustment,
  AdjustmentSchema,
  adjustmentExample,
  adjustmentIdIn,
  listAdjustments,
  PAYERS,
  presentAdjustment,
  proposeAdjustment,
} from '../../users/adjustments/index.ts'
import { namesOfUsers } from '../../users/users/index.ts'
import { auditAdjustment } from './adjustment-audit.ts'
import { decideAdjustment } from './decide.ts'
import { grantedByEventsSince } from './queries.ts'

const LIMIT = 100

const NewAdjustment = namedStrictObject('NewAdjustment', {
  publisher_id: idField('The publisher (pub_…).'),
  publisher_user_id: idField("The publisher's ID for the user."),
  kind: enumOf(
    ADJUSTMENT_KINDS,
    'goodwill credits the user; a correction credits or debits; a write-off forgives a debt.',
  ),
  amount: Type.Number({
    minimum: -AMOUNT_MAX,
    maximum: AMOUNT_MAX,
    description:
      'Amount in major units, with at most two decimals. A negative amount is taken from the available balance.',
  }),
  currency: Type.Optional(currencyField("Of which account; without it, of that in the publisher's first currency.")),
  paid_by: Type.Optional(enumOf(PAYERS, 'Who funds the adjustment. Defaults to service.')),
  reason: textField(500, 'Reason. Visible to the publisher.'),
  external_ref: Type.Optional(
    idField('Your reference for the adjustment, unique per user. A repeat returns the first adjustment.'),
  ),
})

const ListQuery = strictObject({
  publisher_id: Type.Optional(idField('Only results for this publisher.')),
  publisher_user_id: Type.Optional(idField('Only for this user; requires publisher_id.')),
  status: Type.Optional(enumOf(ADJUSTMENT_STATUSES)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Defaults to 100.' })),
})

export const OperatorAdjustment = namedObject('OperatorAdjustment', {
  publisher_id: Type.String(),
  ...AdjustmentSchema.properties,
  proposed_by: Type.String({ description: 'The operator who proposed the adjustment.' }),
  proposed_by_name: actorNameField,
  decided_by: Type.Union([Type.String(), Type.Null()], { description: 'Who booked or declined the adjustment.' }),
  decided_by_name: actorNameField,
})
const anyAdjustmentExample = {
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  ...adjustmentExample,
  proposed_by: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
  proposed_by_name: 'Ana Costa',
  decided_by: 'acc_01kbjyt5v3f4nvj5yq5yfypr9v',
  decided_by_name: 'Ben Okafor',
}

/** Registers the routes for manual balance adjustments. */
export function operatorAdjustmentRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  proposeRoute(operation, deps)
  listRoute(operation, deps)
  decideRoute(operation, deps, 'book')
  decideRoute(operation, deps, 'decline')
}

function proposeRoute(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/adjustments', {
    config: { permission: 'adjustments:request' },
    id: 'proposeAdjustment',
    summary: "Adjust a user's balance manually",
    description:
      "Booked immediately as long as the total you have given on your own today, across all users, stays within the publisher's limit. Above the limit, and for every write-off, another operator with role finance must book it. A negative correction larger than the user's available balance is refused, as is a write-off larger than what the user owes (`adjustment_too_large`).",
    body: NewAdjustment,
    bodyExample: {
      publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
      publisher_user_id: 'user-1',
      kind: 'goodwill',
      amount: 5,
      reason: 'The shop had closed early',
    },
    answer: OperatorAdjustment,
    example: anyAdjustmentExample,
    refusals: [
      'currency_unknown',
      'adjustment_invalid',
      'publisher_not_found',
      'user_not_found',
      'adjustment_conflict',
      'adjustment_too_large',
    ],
    handler: async ({ body, actor, once }) => {
      const { publisher_user_id: publisherUserId, kind, paid_by: paidBy = 'service', reason, external_ref } = body
      return once(async (tx) => {
        const publisher = await getPublisher(tx, publisherIdIn(body.publisher_id))
        const currency = currencyNamed(publisher, body.currency)
        const amount = minorOf(body.amount, currency)
        const proposal = {
          publisherUserId,
          kind,
          paidBy,
          reason,
          currency,
          amount,
          externalRef: external_ref ?? null,
          by: actor.id,
        }
        const made = await proposeAdjustment(
          tx,
          publisher,
          proposal,
          grantedByEventsSince,
          publisherNow(publisher, deps.clock),
        )
        await auditAdjustment(tx, made, 'adjustment.proposed', actor, deps.clock.now())
        return presentOne(tx, made)
      })
    },
  })
}

function minorOf(amount: number, currency: string): bigint {
  const minor = toMinor(amount, currency)
  if (minor !== null && minor !== 0n) return minor
  const message = `must be an amount in ${currency} other than zero`
  throw invalidInput([{ field: 'amount', code: 'invalid', message }])
}

function listRoute(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/adjustments', {
    config: { permission: 'adjustments:read' },
    id: 'listAdjustments',
    summary: 'List adjustments, newest first',
    description: 'Adjustments with status proposed are waiting for another person.',
    query: ListQuery,
    answer: Type.Object({ content: Type.Array(OperatorAdjustment) }),
    example: { content: [anyAdjustmentExample] },
    refusals: ['publisher_not_found'],
    handler: async ({ query: { publisher_id, publisher_user_id, status = null, limit = LIMIT } }) => {
      const publisherId = publisher_id === undefined ? null : publisherIdIn(publisher_id)
      if (publisher_user_id !== undefined && publisherId === null)
        throw invalidInput([{ field: 'publisher_id', code: 'required', message: 'is needed with publisher_user_id' }])
      const userId =
        publisher_user_id === undefined || publisherId === null ? null : userIdOf(publisherId, publisher_user_id)
      const rows = await listAdjustments(deps.db.reader, { publisherId, userId, status, limit })
      return { content: await presentAll(deps.db.reader, rows) }
    },
  })
}

function decideRoute(operation: OperatorOperation, deps: OperatorDeps, verdict: 'book' | 'decline'): void {
  const isBooking = verdict === 'book'
  operation(`POST /operator/adjustments/:adjustment_id/${verdict}`, {
    config: { permission: 'adjustments:decide' },
    id: `${verdict}Adjustment`,
    summary: isBooking ? 'Book an adjustment proposed by another person' : 'Decline a proposed adjustment',
    description: isBooking
      ? "The adjustment is then included in the balances, and a claim waiting for it is granted. A negative correction larger than the user's available balance is refused."
      : 'Nothing is booked, and a claim waiting for the adjustment is reopened.',
    params: Type.Object({ adjustment_id: idField('The adjustment.') }),
    answer: OperatorAdjustment,
    example: { ...anyAdjustmentExample, status: isBooking ? 'booked' : 'declined' },
    refusals: ['adjustment_not_found', 'adjustment_decided', 'adjustment_proposed_by_you', 'adjustment_too_large'],
    handler: async ({ params, actor, once }) =>
      once(async (tx) => {
        const adjustmentId = adjustmentIdIn(params.adjustment_id)
        const nowOf = (publisher: Publisher): Date => publisherNow(publisher, deps.clock)
        const decided = await decideAdjustment(tx, { adjustmentId, verdict, by: actor.id, nowOf })
        await auditAdjustment(tx, decided, `adjustment.${decided.status}`, actor, deps.clock.now())
        return presentOne(tx, decided)
      }),
  })
}

async function presentOne(reader: Reader, row: Adjustment): Promise<AnyAdjustment> {
  const [shown] = await presentAll(reader, [row])
  return shown as AnyAdjustment
}

/** Adds the names of the user, the proposer and the decider. */
export async function presentAll(reader: Reader, rows: readonly Adjustment[]) {
  const names = await namesOfUsers(reader, rows)
  const shown = rows.map((row) => present(row, names))
  return withActorNames(reader, shown, 'proposed_by', 'decided_by')
}

type AnyAdjustment = Awaited<ReturnType<typeof presentAll>>[number]

function present(row: Adjustment, names: ReadonlyMap<UserId, string>) {
  return {
    publisher_id: encodeId('pub', row.publisherId),
    ...presentAdjustment(row, names.get(row.userId) ?? ''),
    proposed_by: row.proposedBy,
    decided_by: row.decidedBy,
  }
}
