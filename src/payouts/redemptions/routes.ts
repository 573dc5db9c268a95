import type { CatalogStore } from '../../catalog/catalog/index.ts'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import { type App, buildPage, invalidInput, pageExample, pageSchema, readPaging } from '../../platform/http/index.ts'
import { toUserId } from '../../platform/ids.ts'
import { toMinor } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type OperationDeps, type PublisherOperation, publisherOperations } from '../../tenants/access/index.ts'
import { type Publisher, resolveCurrency } from '../../tenants/publishers/index.ts'
import { getUser } from '../../users/users/index.ts'
import { cancelRedemption, parseRedemptionId, redemptionNotFound } from './approve.ts'
import { DESTINATION } from './destination.ts'
import { listDestinations } from './destination-queries.ts'
import { getDestination, removeDestination, setDestination } from './destinations.ts'
import type { RedemptionRefusal } from './errors.ts'
import { reportOutcome } from './outcomes.ts'
import { countRedemptions, listRedemptions, listRedemptionsById, listSteps, REDEMPTION_SORTS } from './queries.ts'
import { REDEMPTION } from './redemption.ts'
import { requestRedemption } from './request.ts'
import * as schema from './schema.ts'

type Deps = OperationDeps & { readonly catalog: CatalogStore }

export function redemptionRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Redemptions')
  requestRoute(operation, deps)
  readRoutes(operation, deps)
  changeRoutes(operation)
  destinationRoutes(operation, deps)
}

function requestRoute(operation: PublisherOperation, deps: Deps): void {
  operation('POST /redemptions', {
    config: { scope: 'rewards:write' },
    id: 'requestRedemption',
    summary: 'Pay out available cashback to a user',
    description:
      'Places a hold on the amount immediately. Once approved by the operators that the settings require, the redemption is sent to whoever pays it. With the method publisher, that is you, and the event `redemption.sent` tells you to pay. The method gift_card buys one card, whose code `POST /gift-cards/{card_id}/reveal` returns; the card earns no reward.',
    body: schema.NewRedemptionSchema,
    answer: REDEMPTION.schema,
    example: REDEMPTION.example,
    bodyExample: { publisher_user_id: 'user-1', amount: 25, method: 'publisher', external_ref: 'payout-2026-000017' },
    refusals: [
      'currency_unknown',
      'amount_invalid',
      'offer_unknown',
      'user_not_found',
      'gift_card_supplier_missing',
      'offer_not_available',
      'redemption_method_not_allowed',
      'redemption_conflict',
      'destination_missing',
      'destination_cooling_down',
      'balance_insufficient',
      'redemption_limit_reached',
      'denomination_invalid',
      'redemption_below_minimum',
    ],
    handler: async ({ body, publisher, now, once }) => {
      const { publisher_user_id: publisherUserId, amount, all, method, external_ref = null, offer_uid } = body
      const currency = resolveCurrency(publisher, body.currency)
      const minor = parseMinor(amount, all, currency)
      refuseOffer(body)
      const request = { publisherUserId, currency, amount: minor, method, externalRef: external_ref }
      const bought = offer_uid === undefined ? {} : { card: await findCard(deps, publisher, offer_uid) }
      return once(async (tx) =>
        REDEMPTION.present(await requestRedemption(tx, publisher, { ...request, ...bought }, now)),
      )
    },
  })
}

/** Refuses an offer for any method but `gift_card`, and a `gift_card` redemption without one. */
function refuseOffer({ method, offer_uid }: { readonly method: string; readonly offer_uid?: string }): void {
  if ((method === 'gift_card') === (offer_uid !== undefined)) return
  const isMissing = offer_uid === undefined
  const message = isMissing ? 'is required for the method gift_card' : `is not allowed for the method ${method}`
  throw invalidInput([{ field: 'offer_uid', code: isMissing ? 'required' : 'not_allowed', message }])
}

async function findCard({ catalog }: Deps, publisher: Publisher, offerUid: string) {
  await catalog.lookFor([{ offerUid }])
  return { offerUid, assortment: await catalog.getAssortment(publisher) }
}

/**
 * Returns the amount in minor units, or null for the entire balance, which must be requested explicitly so that an
 * omitted amount never cashes out everything.
 */
function parseMinor(amount: number | undefined, all: true | undefined, currency: string): bigint | null {
  if ((amount === undefined) === (all === undefined))
    throw invalidInput([{ field: 'amount', code: 'required', message: 'or all is required, but not both' }])
  if (amount === undefined) return null
  const minor = toMinor(amount, currency)
  if (minor !== null) return minor
  throw new Refusal<RedemptionRefusal>(
    'amount_invalid',
    `amount must have no more decimal places than ${currency} allows.`,
    {
      field: 'amount',
    },
  )
}

function readRoutes(operation: PublisherOperation, deps: OperationDeps): void {
  operation('GET /redemptions', {
    config: { scope: 'rewards:read' },
    id: 'listRedemptions',
    summary: 'List redemptions',
    description: 'For all users or for a single user, newest first.',
    query: schema.RedemptionQuery,
    answer: pageSchema(REDEMPTION.schema),
    example: pageExample([REDEMPTION.example]),
    refusals: ['user_not_found'],
    handler: async ({ query, publisher, now }) => {
      const { reader } = deps.db
      const paging = readPaging(query, REDEMPTION_SORTS)
      const { publisher_user_id, status = null, method = null, external_ref = null, start_date, end_date } = query
      if (publisher_user_id === undefined && paging.sort.some(({ field }) => field === 'amount'))
        throw invalidInput([{ field: 'sort', code: 'not_allowed', message: 'by amount requires a publisher_user_id' }])
      if (publisher_user_id !== undefined) await getUser(reader, publisher, publisher_user_id, now)
      const filter = {
        userId: publisher_user_id === undefined ? null : toUserId(publisher.id, publisher_user_id),
        status,
        method,
        externalRef: external_ref,
        from: start_date === undefined ? null : startOfDay(start_date, publisher.timeZone),
        until: end_date === undefined ? null : startOfDay(addDays(end_date, 1), publisher.timeZone),
      }
      const [rows, total] = await Promise.all([
        listRedemptions(reader, publisher.id, filter, paging),
        countRedemptions(reader, publisher.id, filter),
      ])
      return buildPage(rows.map(REDEMPTION.present), total, paging)
    },
  })

  operation('GET /redemptions/:redemption_id', {
    config: { scope: 'rewards:read' },
    id: 'getRedemption',
    summary: 'Get a redemption with its status history',
    description: 'Includes the destination, masked.',
    params: schema.RedemptionParams,
    answer: schema.RedemptionWithStepsSchema,
    example: {
      ...REDEMPTION.example,
      destination: DESTINATION.example.masked,
      steps: [
        { status: 'requested', at: '2026-11-21T10:15:30.000Z', by: 'publisher' },
        { status: 'approved', at: '2026-11-21T10:15:30.000Z', by: 'publisher' },
        { status: 'sent', at: '2026-11-21T10:15:30.000Z', by: 'publisher' },
      ],
    },
    refusals: ['redemption_not_found'],
    handler: async ({ params, publisher }) => {
      const { reader } = deps.db
      const [found] = await listRedemptionsById(reader, publisher.id, [parseRedemptionId(params.redemption_id)])
      if (found === undefined) throw redemptionNotFound()
      const { userId, destinationId } = found
      const [steps, [destination]] = await Promise.all([
        listSteps(reader, found),
        destinationId === null ? [] : listDestinations(reader, publisher.id, [userId], [destinationId]),
      ])
      return {
        ...REDEMPTION.present(found),
        destination: destination?.mask ?? null,
        steps: schema.presentSteps(steps),
      }
    },
  })
}

function changeRoutes(operation: PublisherOperation): void {
  operation('POST /redemptions/:redemption_id/cancel', {
    config: { scope: 'rewards:write' },
    id: 'cancelRedemption',
    summary: 'Cancel a redemption that has not been sent',
    description: 'The money first repays any debt that the user has; the rest becomes available again.',
    params: schema.RedemptionParams,
    answer: REDEMPTION.schema,
    example: { ...REDEMPTION.example, status: 'cancelled', reason: 'cancelled' },
    refusals: ['redemption_not_found', 'redemption_status'],
    handler: async ({ params, publisher, now, once }) => {
      const redemptionId = parseRedemptionId(params.redemption_id)
      return once(async (tx) => {
        const order = { redemptionId, reason: 'cancelled', actor: 'publisher' } as const
        return REDEMPTION.present(await cancelRedemption(tx, publisher, order, now))
      })
    },
  })

  operation('POST /redemptions/:redemption_id/outcome', {
    config: { scope: 'rewards:write' },
    id: 'reportRedemptionOutcome',
    summary: 'Report the outcome of a redemption that you pay',
    description:
      'For redemptions with the method publisher. Repeating a report has no effect; a report that contradicts an earlier one is refused.',
    params: schema.RedemptionParams,
    body: schema.OutcomeSchema,
    answer: REDEMPTION.schema,
    example: { ...REDEMPTION.example, status: 'paid', payout_reference: 'wire-81723', version: 4 },
    bodyExample: { status: 'paid', payout_reference: 'wire-81723' },
    refusals: ['redemption_not_found', 'redemption_status'],
    handler: async ({ params, body, publisher, now, once }) => {
      const redemptionId = parseRedemptionId(params.redemption_id)
      const { status: outcome, reason = null, message: text = null, payout_reference: reference = null } = body
      const reported = { redemptionId, outcome, reason, text, reference }
      return once(async (tx) => REDEMPTION.present(await reportOutcome(tx, publisher, reported, now)))
    },
  })
}

function destinationRoutes(operation: PublisherOperation, { db, vault }: OperationDeps): void {
  operation('PUT /users/:publisher_user_id/payout-destination', {
    config: { scope: 'rewards:write' },
    id: 'setPayoutDestination',
    summary: "Set a user's payout destination",
    description:
      'A bank account, or an email address for publishers that pay by email. It is stored encrypted and never returned in full. A new destination replaces the current one and cannot be paid to during the cool-down period in the settings.',
    params: schema.UserParams,
    body: schema.NewDestinationSchema,
    answer: DESTINATION.schema,
    example: DESTINATION.example,
    bodyExample: {
      type: 'us_bank_account',
      holder_name: 'Ada Lovelace',
      routing_number: '021000021',
      account_number: '123456789',
    },
    refusals: ['destination_invalid', 'user_not_found'],
    handler: async ({ params, body, publisher, now, once }) => {
      const { publisher_user_id: publisherUserId } = params
      await getUser(db.reader, publisher, publisherUserId, now)
      const fault = schema.findDestinationFault(body)
      if (fault !== null) throw invalidInput([{ ...fault, code: 'not_allowed' }])
      const destination = schema.toDestination(body)
      return once(async (tx) =>
        DESTINATION.present(await setDestination(tx, vault, publisher, { publisherUserId, destination }, now)),
      )
    },
  })

  operation('GET /users/:publisher_user_id/payout-destination', {
    config: { scope: 'rewards:read' },
    id: 'getPayoutDestination',
    summary: "Get a user's payout destination, masked",
    description: 'Includes the time from which payouts to it are possible.',
    params: schema.UserParams,
    answer: DESTINATION.schema,
    example: DESTINATION.example,
    refusals: ['user_not_found', 'destination_not_found'],
    handler: async ({ params: { publisher_user_id }, publisher, now }) =>
      DESTINATION.present(await getDestination(db.reader, publisher, publisher_user_id, now)),
  })

  operation('DELETE /users/:publisher_user_id/payout-destination', {
    config: { scope: 'rewards:write' },
    id: 'removePayoutDestination',
    summary: "Remove a user's payout destination",
    description:
      'A payout in progress still goes there. The details are destroyed immediately, or when that payout has ended.',
    params: schema.UserParams,
    answer: DESTINATION.schema,
    example: { ...DESTINATION.example, removed_at: '2026-11-22T10:15:30.000Z' },
    refusals: ['user_not_found', 'destination_not_found'],
    handler: ({ params: { publisher_user_id }, publisher, now, once }) =>
      once(async (tx) => DESTINATION.present(await removeDestination(tx, publisher, publisher_user_id, now))),
  })
}
