import Type, { type Static } from 'typebox'
import { addDays, toDay } from '../../../platform/calendar.ts'
import { namedObject, nullable } from '../../../platform/http/index.ts'
import type { Id } from '../../../platform/ids.ts'
import { toJsonNumber } from '../../../platform/money.ts'
import { field, id, instant, integer, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { PUBLISHER_FIELD } from '../../../tenants/access/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { parseAmounts, type RematchState, type RematchSums } from './changes.ts'

export type RematchId = Id<'rematch'>

/** The filter and the preview hash of the order, as stored. Empty for an undo. */
type StoredFilter = {
  readonly brandUid?: string | null
  readonly template?: string | null
  readonly since?: Date | string | null
  readonly until?: Date | string | null
  readonly hash?: string | null
}
type SumTexts = { readonly before: RematchState['amounts']; readonly after: RematchState['amounts'] }
/** Earlier versions supported a single currency and stored only its sums. */
type StoredSums = SumTexts | Readonly<Record<string, SumTexts>>

const PartSchema = namedObject('BeforeAndAfter', {
  before: Type.Number({ description: 'Total before the change.' }),
  after: Type.Number({ description: 'Total after the change.' }),
})
export const PARTS = {
  user: 'user cashback',
  discount: 'user discount',
  publisher: 'publisher share',
  fee: 'service fee',
}
export const TotalsSchema = Type.Array(
  Type.Object({
    currency: Type.String(),
    ...collectParts((part) => ({ ...PartSchema, description: `Total ${PARTS[part]}.` })),
  }),
  {
    description: 'Totals over the changed purchases, per currency.',
  },
)
const FilterSchema = nullable(
  Type.Object(
    {
      brand_uid: nullable(Type.String()),
      template: nullable(Type.String({ description: 'Template of the merchant text.' })),
      since: nullable(Type.String({ description: 'First day, yyyy-MM-dd.' })),
      until: nullable(Type.String({ description: 'Last day, yyyy-MM-dd.' })),
    },
    { description: 'Filter of the re-match; null for an undo.' },
  ),
)
const HashSchema = nullable(Type.String({ description: 'Hash of the approved preview; null if none was given.' }))

/** Returns the parts of a commission under their names in the API. */
export function collectParts<Value>(of: (part: 'user' | 'discount' | 'publisher' | 'fee') => Value) {
  return {
    user_cashback: of('user'),
    user_discount: of('discount'),
    publisher_share: of('publisher'),
    fee: of('fee'),
  }
}

export const EARNED = { user: 1.4, discount: 0, publisher: 0.4, fee: 0.2 }
export const TOTALS_EXAMPLE = [{ currency: 'USD', ...collectParts((part) => ({ before: 0, after: EARNED[part] })) }]
export const HASH_EXAMPLE = '4d1c9f0ae7c2b6d85f3e9a1077b2c4d6e8f0a1b3c5d7e9f1032547698badcfe0'

export const REMATCH = resource('Rematch', {
  rematch_uid: id('rmt', { property: 'rematchId', example: 'rmt_01kbjyt5v3f4nvj5yq5yfypr9v' }),
  publisher_id: PUBLISHER_FIELD,
  undoes: id('rmt', { nullable: true, example: null, description: 'The re-match that this one undoes.' }),
  decided_by: text({ example: 'Ana' }),
  reason: text({ example: 'The kiosk is the Corner Market' }),
  filter: field(
    FilterSchema,
    { example: { brand_uid: null, template: 'corner market kiosk', since: null, until: null } },
    (filter: StoredFilter, row: { readonly undoes: RematchId | null } & Pick<Publisher, 'timeZone'>) =>
      row.undoes === null ? presentFilter(row, filter) : null,
  ),
  hash: field(HashSchema, { property: 'filter', example: HASH_EXAMPLE }, (filter: StoredFilter) => filter.hash ?? null),
  started_at: instant({
    example: '2026-01-06T09:00:00.000Z',
    description: 'When the re-match was ordered, in real time even in a sandbox.',
  }),
  finished_at: instant({
    nullable: true,
    example: '2026-01-06T09:00:01.000Z',
    description: 'When the re-match finished; null if it is running or was interrupted.',
  }),
  examined: integer({ example: 12 }),
  changed: integer({ example: 1, description: 'Number of purchases changed.' }),
  kept: integer({
    example: 0,
    description: 'For an undo: number of purchases that have been decided again since and are left unchanged.',
  }),
  totals: field(
    TotalsSchema,
    { property: 'sums', example: TOTALS_EXAMPLE },
    (sums: StoredSums | RematchSums, row: Pick<Publisher, 'currency'>) => presentSums(row, sums),
  ),
})

/** A re-match with its publisher's time zone and currency. */
export type Rematch = ResourceRow<typeof REMATCH> & Pick<Publisher, 'timeZone' | 'currency'>

/** Converts instants back to dates. `until` is stored as the first instant after its date. */
export function presentFilter(
  { timeZone }: Pick<Publisher, 'timeZone'>,
  { brandUid, template, since, until }: StoredFilter,
): NonNullable<Static<typeof FilterSchema>> {
  return {
    brand_uid: brandUid ?? null,
    template: template ?? null,
    since: since == null ? null : toDay(new Date(since), timeZone),
    until: until == null ? null : addDays(toDay(new Date(until), timeZone), -1),
  }
}

export function presentSums(
  publisher: Pick<Publisher, 'currency'>,
  sums: StoredSums | RematchSums,
): Static<typeof TotalsSchema> {
  return Object.entries(isOfOneCurrency(sums) ? { '': sums } : sums).map(([name, texts]) => {
    const currency = name === '' ? publisher.currency : name
    const { before, after } = { before: parseAmounts(texts.before), after: parseAmounts(texts.after) }
    return {
      currency,
      ...collectParts((part) => ({
        before: toJsonNumber(before[part], currency),
        after: toJsonNumber(after[part], currency),
      })),
    }
  })
}

function isOfOneCurrency(sums: StoredSums | RematchSums): sums is SumTexts {
  return 'before' in sums && 'after' in sums
}
