import Type, { type Static } from 'typebox'
import { namedObject } from '../../platform/http/index.ts'
import { day, field, instant, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { actorName } from '../../tenants/access/index.ts'
import { CATALOG_OFFER, type FieldChange, OFFER_FIELDS, OfferFileSchema, PERIODS } from '../catalog/index.ts'

export const WholeOfferSchema = namedObject('WholeOffer', {
  ...CATALOG_OFFER.schema.properties,
  content: { ...OfferFileSchema, description: 'The offer as it appears in a catalog file.' },
})
export const wholeOfferExample: Static<typeof WholeOfferSchema> = {
  ...CATALOG_OFFER.example,
  content: {
    offer_uid: 'off_3k1n',
    name: '5% back',
    offer_type: 'CARD_LINKED',
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate: 5 },
    min_spend: 20,
    activation_required: true,
    budgets: [{ period: 'MONTH', amount: 5000 }],
  },
}

export const ENVIRONMENTS = ['production', 'sandbox'] as const

/** A budget in its current period and its spending rate. */
const OFFER_BUDGET = resource('OfferBudget', {
  environment: oneOf(ENVIRONMENTS, {
    example: 'production',
    description: 'Sandboxes have their own budget of the same amount.',
  }),
  period: oneOf(PERIODS, {
    example: 'MONTH',
    description: 'Periods follow the UTC calendar; weeks begin on Monday.',
  }),
  starts_on: day({
    nullable: true,
    example: '2026-11-01',
    description: 'The first day of the current period; for LIFETIME, the first day of the offer, or null if unknown.',
  }),
  ends_on: day({ nullable: true, example: '2026-11-30', description: 'The last day, or null if unknown.' }),
  amount: money({ example: 5000, description: 'Maximum commission that the offer may cost in the period.' }),
  // May exceed the amount if the budget was lowered.
  spent: money({ example: 4650, description: 'Commission taken by purchases, pending or earned.' }),
  left: money({ example: 350, description: 'Commission that purchases can still take.' }),
  spent_percent: integer({ example: 93, description: 'Percentage of the amount that has been spent.' }),
  elapsed_percent: integer({
    nullable: true,
    example: 68,
    description:
      'Percentage of the period that has elapsed. If it is less than `spent_percent`, the budget will run out before the period ends at this pace. Null if the period has no end.',
  }),
})
export type OfferBudgetRow = ResourceRow<typeof OFFER_BUDGET> & { readonly currency: string }

export const OFFER_BUDGETS = resource('OfferBudgets', {
  ...OFFER_FIELDS,
  budgets: field(
    Type.Array(OFFER_BUDGET.schema, {
      description: 'Production budgets, plus any sandbox budgets that have been drawn on.',
    }),
    { property: 'paces', example: [OFFER_BUDGET.example] },
    (paces: readonly OfferBudgetRow[]) => paces.map(OFFER_BUDGET.present),
  ),
})

export const OFFER_VERSION = resource('OfferVersion', {
  version: integer({ example: 2, description: 'Version number.' }),
  valid_from: instant({
    example: '2026-11-10T08:00:00.000Z',
    description: 'When this version starts to apply to purchases.',
  }),
  changed_by: text({ example: 'Ada', description: 'The import or operator that made the change.' }),
  changed_by_name: actorName({ of: 'changed_by', example: 'Ada' }),
  content: field(
    Type.Unknown({ description: 'The offer as it appears in a catalog file.' }),
    { example: { name: '5% back' } },
    (content: object) => content,
  ),
  changes: field(
    Type.Array(
      namedObject('OfferChange', {
        field: Type.String({ description: 'Path to the changed field.' }),
        from: Type.Unknown({ description: 'The value before the change, or null if there was none.' }),
        to: Type.Unknown({ description: 'The value after the change, or null if there is none.' }),
      }),
      { description: 'Differences from the previous version.' },
    ),
    { example: [{ field: 'name', from: '4% back', to: '5% back' }] },
    (changes: readonly FieldChange[]) => changes,
  ),
})
export const OfferVersionsSchema = namedObject('OfferVersions', {
  offer_uid: Type.String(),
  versions: Type.Array(OFFER_VERSION.schema, { description: 'Newest first.' }),
})
