import Type, { type Static } from 'typebox'
import { addDays, dayOf, startOfDay } from '../../../platform/calendar.ts'
import { dayField, namedObject, namedStrictObject, nullable, textField } from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import { toJsonNumber } from '../../../platform/money.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { RematchChange, RematchState, RematchSums } from './changes.ts'
import type { Rematch } from './queries.ts'
import type { Filter } from './select.ts'
import type { Preview } from './service.ts'

export const RematchFilterSchema = namedStrictObject('RematchFilter', {
  brand_uid: Type.Optional(textField(255, 'Only purchases of this brand, or that the current catalog matches to it.')),
  template: Type.Optional(
    textField(255, 'Only purchases whose merchant text has this template, as shown in a review.'),
  ),
  since: Type.Optional(dayField('First day, inclusive.')),
  until: Type.Optional(dayField('Last day, inclusive.')),
})

const PartSchema = namedObject('BeforeAndAfter', {
  before: Type.Number({ description: 'Total before the change.' }),
  after: Type.Number({ description: 'Total after the change.' }),
})
const PARTS = { user: 'user cashback', discount: 'user discount', publisher: 'publisher share', fee: 'service fee' }
const TotalsSchema = Type.Array(
  Type.Object({
    currency: Type.String(),
    ...partsOf((part) => ({ ...PartSchema, description: `Total ${PARTS[part]}.` })),
  }),
  {
    description: 'Totals over the changed purchases, per currency.',
  },
)
const StateSchema = namedObject('RematchState', {
  status: Type.String(),
  status_reason: nullable(Type.String()),
  brand_uid: nullable(Type.String()),
  offer_uid: nullable(Type.String()),
  currency: Type.String(),
  ...partsOf((part) => Type.Number({ description: `The ${PARTS[part]}, including adjustments.` })),
})

/** Returns the parts of a commission under their names in the API. */
function partsOf<Value>(of: (part: 'user' | 'discount' | 'publisher' | 'fee') => Value) {
  return {
    user_cashback: of('user'),
    user_discount: of('discount'),
    publisher_share: of('publisher'),
    fee: of('fee'),
  }
}

export const RematchChangeSchema = namedObject('RematchChange', {
  transaction_uid: Type.String(),
  svc_user_id: Type.String(),
  before: StateSchema,
  after: StateSchema,
})
export const PreviewSchema = namedObject('RematchPreview', {
  examined: Type.Integer({ description: 'Number of purchases the filter selects.' }),
  changed: Type.Integer({ description: 'Number of purchases that would change, including dependent ones.' }),
  hash: Type.String({
    description: 'Hash of all changes. A re-match ordered with this hash is refused if the result would differ.',
  }),
  totals: TotalsSchema,
  changes: Type.Array(RematchChangeSchema, { description: 'The first thousand changes.' }),
})

export const RematchSchema = namedObject('Rematch', {
  rematch_uid: Type.String(),
  publisher_id: Type.String(),
  undoes: nullable(Type.String({ description: 'The re-match that this one undoes.' })),
  decided_by: Type.String(),
  reason: Type.String(),
  filter: nullable(
    Type.Object(
      {
        brand_uid: nullable(Type.String()),
        template: nullable(Type.String({ description: 'Template of the merchant text.' })),
        since: nullable(Type.String({ description: 'First day, yyyy-MM-dd.' })),
        until: nullable(Type.String({ description: 'Last day, yyyy-MM-dd.' })),
      },
      { description: 'Filter of the re-match; null for an undo.' },
    ),
  ),
  hash: nullable(Type.String({ description: 'Hash of the approved preview; null if none was named.' })),
  started_at: Type.String({ description: 'When the re-match was ordered, by the real clock even in a sandbox.' }),
  finished_at: nullable(
    Type.String({ description: 'When the re-match finished; null if it is running or was interrupted.' }),
  ),
  examined: Type.Integer(),
  changed: Type.Integer({ description: 'Number of purchases changed.' }),
  kept: Type.Integer({
    description: 'For an undo: number of purchases that were decided again since and are left unchanged.',
  }),
  totals: TotalsSchema,
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
    changes: changes.slice(0, SHOWN_MAX).map((change) => presentChange(publisher, change)),
  }
}

export function presentChange(
  publisher: Publisher,
  { transactionId, userId, before, after }: RematchChange,
): Static<typeof RematchChangeSchema> {
  return {
    transaction_uid: encodeId('txn', transactionId),
    svc_user_id: encodeId('usr', userId),
    before: presentState(publisher, before),
    after: presentState(publisher, after),
  }
}

export function presentRematch(publisher: Publisher, rematch: Rematch): Static<typeof RematchSchema> {
  return {
    rematch_uid: encodeId('rmt', rematch.rematchId),
    publisher_id: encodeId('pub', rematch.publisherId),
    undoes: rematch.undoes === null ? null : encodeId('rmt', rematch.undoes),
    decided_by: rematch.decidedBy,
    reason: rematch.reason,
    filter: rematch.undoes === null ? presentFilter(publisher, rematch.filter) : null,
    hash: rematch.filter.hash ?? null,
    started_at: rematch.startedAt.toISOString(),
    finished_at: rematch.finishedAt?.toISOString() ?? null,
    examined: rematch.examined,
    changed: rematch.changed,
    kept: rematch.kept,
    totals: presentSums(publisher, rematch.sums),
  }
}

/** Converts days of the publisher's calendar to instants. */
export function filterOfDays(publisher: Publisher, body: Static<typeof RematchFilterSchema>): Filter {
  const { brand_uid, template, since, until } = body
  return {
    brandUid: brand_uid ?? null,
    template: template ?? null,
    since: since === undefined ? null : startOfDay(since, publisher.timeZone),
    until: until === undefined ? null : startOfDay(addDays(until, 1), publisher.timeZone),
  }
}

/** Converts instants back to days. `until` is stored as the first instant after its day. */
export function presentFilter(
  { timeZone }: Publisher,
  { brandUid, template, since, until }: Filter | Rematch['filter'],
): NonNullable<Static<typeof RematchSchema>['filter']> {
  return {
    brand_uid: brandUid ?? null,
    template: template ?? null,
    since: since == null ? null : dayOf(new Date(since), timeZone),
    until: until == null ? null : addDays(dayOf(new Date(until), timeZone), -1),
  }
}

function presentState(publisher: Publisher, { amounts, ...state }: RematchState): Static<typeof StateSchema> {
  const { currency = publisher.currency } = state
  return {
    status: state.status,
    status_reason: state.statusReason,
    brand_uid: state.brandUid,
    offer_uid: state.offerUid,
    currency,
    ...partsOf((part) => toJsonNumber(BigInt(amounts[part]), currency)),
  }
}

function presentSums(publisher: Publisher, sums: RematchSums): Static<typeof TotalsSchema> {
  return Object.entries(sums).map(([name, { before, after }]) => {
    const currency = name === '' ? publisher.currency : name
    return {
      currency,
      ...partsOf((part) => ({
        before: toJsonNumber(before[part], currency),
        after: toJsonNumber(after[part], currency),
      })),
    }
  })
}

const earned = { user: 1.4, discount: 0, publisher: 0.4, fee: 0.2 }
const totals = [{ currency: 'USD', ...partsOf((part) => ({ before: 0, after: earned[part] })) }]

export const previewExample: Static<typeof PreviewSchema> = {
  examined: 12,
  changed: 1,
  hash: '4d1c9f0ae7c2b6d85f3e9a1077b2c4d6e8f0a1b3c5d7e9f1032547698badcfe0',
  totals,
  changes: [
    {
      transaction_uid: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
      svc_user_id: 'usr_01kbjyt5v3f4nvj5yq5yfypr9v',
      before: {
        status: 'CANCELLED',
        status_reason: 'unmatched',
        brand_uid: null,
        offer_uid: null,
        currency: 'USD',
        ...partsOf(() => 0),
      },
      after: {
        status: 'PENDING',
        status_reason: null,
        brand_uid: 'brand-market',
        offer_uid: 'offer-market',
        currency: 'USD',
        ...partsOf((part) => earned[part]),
      },
    },
  ],
}

export const rematchExample: Static<typeof RematchSchema> = {
  rematch_uid: 'rmt_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  undoes: null,
  decided_by: 'Ana',
  reason: 'The kiosk is the Corner Market',
  filter: { brand_uid: null, template: 'corner market kiosk', since: null, until: null },
  hash: previewExample.hash,
  started_at: '2026-01-06T09:00:00.000Z',
  finished_at: '2026-01-06T09:00:01.000Z',
  examined: 12,
  changed: 1,
  kept: 0,
  totals,
}
