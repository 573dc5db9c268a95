import Type from 'typebox'
import {
  currencyField,
  enumField,
  idField,
  invalidInput,
  namedStrictObject,
  textField,
} from '../../platform/http/index.ts'
import { AMOUNT_MAX, toMinor } from '../../platform/money.ts'
import { text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import {
  actorName,
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  PUBLISHER_FIELD,
  parsePublisherId,
  presentRow,
} from '../../tenants/access/index.ts'
import { getPublisher, type Publisher, publisherNow, resolveCurrency } from '../../tenants/publishers/index.ts'
import {
  ADJUSTMENT,
  ADJUSTMENT_KINDS,
  ADJUSTMENT_LIST,
  PAYERS,
  parseAdjustmentId,
} from '../../users/adjustments/index.ts'
import { decideAdjustment } from './decide.ts'
import { auditAdjustment, proposeAdjustment } from './propose-adjustment.ts'

const NewAdjustment = namedStrictObject('NewAdjustment', {
  publisher_id: idField('The publisher (pub_…).'),
  publisher_user_id: idField("The publisher's ID for the user."),
  kind: enumField(
    ADJUSTMENT_KINDS,
    'goodwill credits the user; a correction credits or debits; a write-off forgives a debt.',
  ),
  amount: Type.Number({
    minimum: -AMOUNT_MAX,
    maximum: AMOUNT_MAX,
    description:
      'Amount in major units, with at most two decimal places. A negative amount is taken from the available balance.',
  }),
  currency: Type.Optional(
    currencyField("Currency of the balance to adjust. Defaults to the publisher's first currency."),
  ),
  paid_by: Type.Optional(enumField(PAYERS, 'Who funds the adjustment. Defaults to service.')),
  reason: textField(500, 'Reason. Visible to the publisher.'),
  external_ref: Type.Optional(
    idField('Your reference for the adjustment, unique per user. A repeat returns the first adjustment.'),
  ),
})

export const OPERATOR_ADJUSTMENT = resource('OperatorAdjustment', {
  publisher_id: PUBLISHER_FIELD,
  ...ADJUSTMENT.fields,
  proposed_by: text({
    example: 'opr_01kbjyt5v3f4nvj5yq5yfypr9v',
    description: 'The operator who proposed the adjustment.',
  }),
  proposed_by_name: actorName({ of: 'proposed_by', example: 'Ana Costa' }),
  decided_by: text({
    nullable: true,
    example: 'acc_01kbjyt5v3f4nvj5yq5yfypr9v',
    description: 'Who booked or declined the adjustment.',
  }),
  decided_by_name: actorName({ of: 'decided_by', example: 'Ben Okafor' }),
})

/** Registers the routes for manual balance adjustments. */
export function operatorAdjustmentRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  proposeRoute(operation, deps)
  listOperation(operation, deps.db, {
    route: 'GET /operator/adjustments',
    permission: 'adjustments:read',
    id: 'listAdjustments',
    summary: 'List adjustments, newest first',
    description: 'Adjustments with status proposed are waiting for another person.',
    list: ADJUSTMENT_LIST,
    resource: OPERATOR_ADJUSTMENT,
    refusals: ['publisher_not_found'],
  })
  decideRoute(operation, deps, 'book')
  decideRoute(operation, deps, 'decline')
}

function proposeRoute(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/adjustments', {
    config: { permission: 'adjustments:request' },
    id: 'proposeAdjustment',
    summary: "Adjust a user's balance manually",
    description:
      "Booked immediately as long as the total you have given on your own today, across all users, stays within the publisher's limit. Above the limit, and for every write-off, another operator with the finance role must book it. A negative correction larger than the user's available balance is refused, as is a write-off larger than what the user owes (`adjustment_too_large`).",
    body: NewAdjustment,
    bodyExample: {
      publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
      publisher_user_id: 'user-1',
      kind: 'goodwill',
      amount: 5,
      reason: 'The shop had closed early',
    },
    answer: OPERATOR_ADJUSTMENT.schema,
    example: OPERATOR_ADJUSTMENT.example,
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
        const publisher = await getPublisher(tx, parsePublisherId(body.publisher_id))
        const currency = resolveCurrency(publisher, body.currency)
        const amount = parseMinor(body.amount, currency)
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
        const made = await proposeAdjustment(tx, publisher, proposal, publisherNow(publisher, deps.clock))
        await auditAdjustment(tx, made, 'adjustment.proposed', actor, deps.clock.now())
        return presentRow(tx, OPERATOR_ADJUSTMENT, made)
      })
    },
  })
}

function parseMinor(amount: number, currency: string): bigint {
  const minor = toMinor(amount, currency)
  if (minor !== null && minor !== 0n) return minor
  const message = `must be an amount in ${currency} other than zero`
  throw invalidInput([{ field: 'amount', code: 'invalid', message }])
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
    answer: OPERATOR_ADJUSTMENT.schema,
    example: { ...OPERATOR_ADJUSTMENT.example, status: isBooking ? 'booked' : 'declined' },
    refusals: ['adjustment_not_found', 'adjustment_decided', 'adjustment_proposed_by_you', 'adjustment_too_large'],
    handler: async ({ params, actor, once }) =>
      once(async (tx) => {
        const adjustmentId = parseAdjustmentId(params.adjustment_id)
        const getNow = (publisher: Publisher): Date => publisherNow(publisher, deps.clock)
        const decided = await decideAdjustment(tx, { adjustmentId, verdict, by: actor.id, getNow })
        await auditAdjustment(tx, decided, `adjustment.${decided.status}`, actor, deps.clock.now())
        return presentRow(tx, OPERATOR_ADJUSTMENT, decided)
      }),
  })
}
