import Type, { type Static } from 'typebox'
import { listBrandNames } from '../../../catalog/catalog/index.ts'
import { dayOf } from '../../../platform/calendar.ts'
import type { Reader } from '../../../platform/db/database.ts'
import { namedObject, nullable, pageExample, pageOf, pageSchema, sortOf } from '../../../platform/http/index.ts'
import {
  actorNameField,
  type OperatorDeps,
  type OperatorOperation,
  publisherIdIn,
  withActorNames,
} from '../../../tenants/access/index.ts'
import { getPublisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { recordPaymentAs } from '../operators.ts'
import { countPayments, listPayments, PAYMENT_SORTS } from './queries.ts'
import { NewPaymentSchema, PaymentQuery, PaymentSchema, paymentExample, paymentOf, presentPayment } from './schema.ts'

const OperatorPayment = namedObject('Payment', {
  ...PaymentSchema.properties,
  brand_name: nullable(Type.String({ description: "Name of the advertiser's brand." })),
  created_by_name: actorNameField,
})
type Shown = Static<typeof OperatorPayment>
const example = { ...paymentExample, brand_name: 'Corner Market', created_by_name: 'Ana Costa' }

async function withNames(reader: Reader, payments: readonly ReturnType<typeof presentPayment>[]): Promise<Shown[]> {
  const names = await listBrandNames(
    reader,
    payments.flatMap(({ brand_uid }) => brand_uid ?? []),
  )
  const named = payments.map((payment) => ({ ...payment, brand_name: names.get(payment.brand_uid ?? '') ?? null }))
  return withActorNames(reader, named, 'created_by')
}

/** Registers the routes for payments received or made. */
export function paymentRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/payments', {
    config: { permission: 'payments:record' },
    id: 'recordPayment',
    summary: 'Record money received or paid',
    description:
      'With its postings: from or to an advertiser, for what it owes for the users of a publisher; to or from a publisher; ' +
      'to settle what was paid out to users by a method; or to take out fees of the service. A payment is never changed: ' +
      'another one that names it in `reverses` takes it back. Paying more than is owed leaves a credit. `external_ref` is ' +
      'recorded once for a publisher; a repeat gets the same answer.',
    body: NewPaymentSchema,
    bodyExample: {
      publisher_id: paymentExample.publisher_id,
      direction: 'received',
      party: 'advertiser',
      brand_uid: 'brand-market',
      amount: 1250,
      currency: 'USD',
      external_ref: 'wire-2026-0117',
      value_date: '2026-12-15',
    },
    answer: OperatorPayment,
    example,
    refusals: [
      'currency_unknown',
      'publisher_not_found',
      'brand_not_found',
      'payment_not_found',
      'payment_conflict',
      'payment_not_reversible',
    ],
    handler: async ({ body, actor, once }) => {
      const publisher = await getPublisher(deps.db.reader, publisherIdIn(body.publisher_id))
      const request = paymentOf(body, publisher, dayOf(publisherNow(publisher, deps.clock), publisher.timeZone))
      return once(async (tx) => {
        const payment = await recordPaymentAs(tx, publisher, { request, by: actor }, deps.clock.now())
        const [shown] = await withNames(tx, [presentPayment(payment)])
        return shown as Shown
      })
    },
  })

  operation('GET /operator/payments', {
    config: { permission: 'payments:read' },
    id: 'listPayments',
    summary: 'List recorded payments',
    description: 'For one or all publishers, newest first.',
    query: PaymentQuery,
    answer: pageSchema(OperatorPayment),
    example: pageExample([example]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const { publisher_id, party = null, brand_uid = null, external_ref = null } = query
      const filter = {
        publisherId: publisher_id === undefined ? null : publisherIdIn(publisher_id),
        party: brand_uid === null ? party : ('advertiser' as const),
        owner: brand_uid,
        externalRef: external_ref,
      }
      const paging = sortOf(query, PAYMENT_SORTS)
      const { reader } = deps.db
      const [rows, total] = await Promise.all([listPayments(reader, filter, paging), countPayments(reader, filter)])
      return pageOf(await withNames(reader, rows.map(presentPayment)), total, paging)
    },
  })
}
