import { toDay } from '../../../platform/calendar.ts'
import { text } from '../../../platform/resource/fields.ts'
import { resource } from '../../../platform/resource/resource.ts'
import {
  actorName,
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  parsePublisherId,
  presentRow,
} from '../../../tenants/access/index.ts'
import { getPublisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { PAYMENT } from './payment.ts'
import { recordPayment } from './payments.ts'
import { findPayment, PAYMENT_LIST } from './queries.ts'
import { NewPaymentSchema, parsePayment } from './schema.ts'

const OPERATOR_PAYMENT = resource('Payment', {
  ...PAYMENT.fields,
  brand_name: text({
    joined: true,
    nullable: true,
    example: 'Corner Market',
    description: "Name of the advertiser's brand.",
  }),
  created_by_name: actorName({ of: 'created_by', example: 'Ana Costa' }),
})

/** Registers the routes for payments received or made. */
export function paymentRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/payments', {
    config: { permission: 'payments:record' },
    id: 'recordPayment',
    summary: 'Record money received or paid',
    description:
      "Books its postings: from or to an advertiser, for what it owes for a publisher's users; to or from a publisher; to settle payouts made to users by a method; or to withdraw the service's fees. Payments are never changed: to reverse one, record another payment that references it in `reverses`. Paying more than is owed leaves a credit. Each `external_ref` is recorded once per publisher; a repeat returns the same response.",
    body: NewPaymentSchema,
    bodyExample: {
      publisher_id: PAYMENT.example.publisher_id,
      direction: 'received',
      party: 'advertiser',
      brand_uid: 'brand-market',
      amount: 1250,
      currency: 'USD',
      external_ref: 'wire-2026-0117',
      value_date: '2026-12-15',
    },
    answer: OPERATOR_PAYMENT.schema,
    example: OPERATOR_PAYMENT.example,
    refusals: [
      'currency_unknown',
      'publisher_not_found',
      'brand_not_found',
      'payment_not_found',
      'payment_conflict',
      'payment_not_reversible',
    ],
    handler: async ({ body, actor, once }) => {
      const publisher = await getPublisher(deps.db.reader, parsePublisherId(body.publisher_id))
      const request = parsePayment(body, publisher, toDay(publisherNow(publisher, deps.clock), publisher.timeZone))
      return once(async (tx) => {
        const { paymentId } = await recordPayment(tx, publisher, request, actor, deps.clock.now())
        const recorded = await findPayment(tx, publisher.id, paymentId)
        if (recorded === null) throw new Error('the payment was recorded in this transaction')
        return presentRow(tx, OPERATOR_PAYMENT, recorded)
      })
    },
  })

  listOperation(operation, deps.db, {
    route: 'GET /operator/payments',
    permission: 'payments:read',
    id: 'listPayments',
    summary: 'List recorded payments',
    description: 'For one or all publishers, newest first.',
    list: PAYMENT_LIST,
    resource: OPERATOR_PAYMENT,
    refusals: ['publisher_not_found'],
  })
}
