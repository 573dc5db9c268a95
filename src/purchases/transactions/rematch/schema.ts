import Type, { type Static } from 'typebox'
import { addDays, startOfDay } from '../../../platform/calendar.ts'
import { dayField, namedObject, namedStrictObject, nullable, textField } from '../../../platform/http/index.ts'
import { toJsonNumber } from '../../../platform/money.ts'
import { field, id } from '../../../platform/resource/fields.ts'
import { resource } from '../../../platform/resource/resource.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { RematchChange, RematchState } from './changes.ts'
import { collectParts, EARNED, HASH_EXAMPLE, PARTS, presentSums, TOTALS_EXAMPLE, TotalsSchema } from './rematch.ts'
import type { Filter } from './select.ts'
import type { Preview } from './service.ts'

export const RematchFilterSchema = namedStrictObject('RematchFilter', {
  brand_uid: Type.Optional(textField(255, 'Only purchases at this brand, or that the current catalog matches to it.')),
  template: Type.Optional(
    textField(255, 'Only purchases whose merchant text has this template, as shown in a review.'),
  ),
  since: Type.Optional(dayField('First day, inclusive.')),
  until: Type.Optional(dayField('Last day, inclusive.')),
})

type Currency = Pick<Publisher, 'currency'>

const StateSchema = namedObject('RematchState', {
  status: Type.String(),
  status_reason: nullable(Type.String()),
  brand_uid: nullable(Type.String()),
  offer_uid: nullable(Type.String()),
  currency: Type.String(),
  ...collectParts((part) => Type.Number({ description: `The ${PARTS[part]}, including adjustments.` })),
})

const NOTHING = {
  status: 'CANCELLED',
  status_reason: 'unmatched',
  brand_uid: null,
  offer_uid: null,
  currency: 'USD',
  ...collectParts(() => 0),
}
const REWARD = {
  status: 'PENDING',
  status_reason: null,
  brand_uid: 'brand-market',
  offer_uid: 'offer-market',
  currency: 'USD',
  ...collectParts((part) => EARNED[part]),
}
const present = (state: RematchState, publisher: Currency) => presentState(publisher, state)

/** A purchase that a re-match changes. The row includes the publisher's currency. */
export const CHANGED_PURCHASE = resource('RematchChange', {
  transaction_uid: id('txn', { property: 'transactionId', example: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v' }),
  svc_user_id: id('usr', { property: 'userId', example: 'usr_01kbjyt5v3f4nvj5yq5yfypr9v' }),
  before: field(StateSchema, { example: NOTHING }, present),
  after: field(StateSchema, { example: REWARD }, present),
})
export const PreviewSchema = namedObject('RematchPreview', {
  examined: Type.Integer({ description: 'Number of purchases the filter selects.' }),
  changed: Type.Integer({ description: 'Number of purchases that would change, including dependent ones.' }),
  hash: Type.String({
    description: 'Hash of all changes. A re-match ordered with this hash is refused if the result would differ.',
  }),
  totals: TotalsSchema,
  changes: Type.Array(CHANGED_PURCHASE.schema, { description: 'The first thousand changes.' }),
})

const SHOWN_MAX = 1_000

export function presentPreview(
  publisher: Publisher,
  { examined, changes, sums, hash }: Preview,
): Static<typeof PreviewSchema> {
  return {
    examined,
    changed: changes.length,
    hash,
    totals: presentSums(publisher, sums),
    changes: presentChanges(publisher, changes.slice(0, SHOWN_MAX)),
  }
}

/** Presents changes to a publisher's purchases. */
export function presentChanges({ currency }: Currency, changes: readonly RematchChange[]) {
  return changes.map((change) => ({ ...change, currency })).map(CHANGED_PURCHASE.present)
}

/** Converts dates in the publisher's time zone to instants. */
export function parseDayFilter(publisher: Publisher, body: Static<typeof RematchFilterSchema>): Filter {
  const { brand_uid, template, since, until } = body
  return {
    brandUid: brand_uid ?? null,
    template: template ?? null,
    since: since === undefined ? null : startOfDay(since, publisher.timeZone),
    until: until === undefined ? null : startOfDay(addDays(until, 1), publisher.timeZone),
  }
}

function presentState(publisher: Currency, { amounts, ...state }: RematchState): Static<typeof StateSchema> {
  const { currency = publisher.currency } = state
  return {
    status: state.status,
    status_reason: state.statusReason,
    brand_uid: state.brandUid,
    offer_uid: state.offerUid,
    currency,
    ...collectParts((part) => toJsonNumber(BigInt(amounts[part]), currency)),
  }
}

export const previewExample: Static<typeof PreviewSchema> = {
  examined: 12,
  changed: 1,
  hash: HASH_EXAMPLE,
  totals: TOTALS_EXAMPLE,
  changes: [CHANGED_PURCHASE.example],
}
