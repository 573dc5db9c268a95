import Type, { type Static } from 'typebox'
import { enumField, namedObject, nullable } from '../../platform/http/index.ts'
import { ppmToPercent, toJsonNumber } from '../../platform/money.ts'
import { actorNameField } from '../../tenants/access/index.ts'
import {
  OFFER_STATES,
  OFFER_TYPES,
  OfferFileSchema,
  type OfferOfCatalog,
  PERIODS,
  REWARD_TYPES,
} from '../catalog/index.ts'
import type { BudgetedOffer, BudgetPace } from './budget-paces.ts'

const OFFER = {
  offer_uid: Type.String(),
  brand_uid: Type.String(),
  brand_name: Type.String(),
  name: Type.String(),
  state: enumField(
    OFFER_STATES,
    'By the current UTC day: before its first day, running, after its last day, or removed from the catalog.',
  ),
  currency: Type.String(),
  start_date: nullable(Type.String({ description: 'The first day, or null if none is set.' })),
  end_date: nullable(Type.String({ description: 'The last day, or null if none is set.' })),
}

const spendLimit = (description: string) =>
  nullable(Type.Number({ description: `${description}, or null for no limit.` }))
const LISTED = {
  ...OFFER,
  category_id: Type.Integer(),
  offer_type: enumField(OFFER_TYPES),
  reward_type: enumField(REWARD_TYPES),
  commission: Type.Number({
    description: 'Highest commission group, gross: a percentage or an amount, depending on the reward type.',
  }),
  commission_groups: Type.Integer({
    description: 'Number of commission groups. Each purchase falls into one of them.',
  }),
  min_spend: spendLimit('Minimum purchase amount'),
  max_spend: spendLimit('Maximum amount that earns a reward'),
  one_time_use: Type.Boolean({ description: 'Whether the offer rewards each user only once.' }),
  new_customer_only: Type.Boolean({ description: 'Whether the offer rewards only new customers of the brand.' }),
  activation_required: Type.Boolean({ description: 'Whether users must activate the offer before the purchase.' }),
  has_budget: Type.Boolean({
    description:
      'Whether the cost of the offer is limited by a budget; `GET /operator/budgets` returns the remaining amount.',
  }),
  version: Type.Integer({ description: 'Increases by one with each change to the offer.' }),
}

export const CatalogOfferSchema = namedObject('OfferOfCatalog', LISTED)
export const WholeOfferSchema = namedObject('WholeOffer', {
  ...LISTED,
  content: { ...OfferFileSchema, description: 'The offer as it appears in a catalog file.' },
})

const day = (description: string) => nullable(Type.String({ description: `${description}, or null if unknown.` }))

export const BudgetSchema = namedObject('OfferBudgets', {
  ...OFFER,
  budgets: Type.Array(
    namedObject('OfferBudget', {
      environment: enumField(['production', 'sandbox'], 'Sandboxes have their own budget of the same amount.'),
      period: enumField(PERIODS, 'Periods follow the UTC calendar; weeks begin on Monday.'),
      starts_on: day('The first day of the current period; for LIFETIME, the first day of the offer'),
      ends_on: day('The last day'),
      amount: Type.Number({ description: 'Maximum commission that the offer may cost in the period.' }),
      spent: Type.Number({ description: 'Commission taken by purchases, pending or earned.' }),
      left: Type.Number({ description: 'Commission still available to purchases.' }),
      spent_percent: Type.Integer({ description: 'Percentage of the amount that has been spent.' }),
      elapsed_percent: nullable(
        Type.Integer({
          description:
            'Percentage of the period that has elapsed. If it is less than `spent_percent`, the budget will run out before the period ends at this pace. Null if the period has no end.',
        }),
      ),
    }),
    { description: 'Production budgets, plus any sandbox budgets that have been drawn on.' },
  ),
})

export const OfferVersionsSchema = namedObject('OfferVersions', {
  offer_uid: Type.String(),
  versions: Type.Array(
    namedObject('OfferVersion', {
      version: Type.Integer({ description: 'Version number.' }),
      valid_from: Type.String({ description: 'When this version starts to apply to purchases.' }),
      changed_by: Type.String({ description: 'The import or operator that made the change.' }),
      changed_by_name: actorNameField,
      content: Type.Unknown({ description: 'The offer as it appears in a catalog file.' }),
      changes: Type.Array(
        namedObject('OfferChange', {
          field: Type.String({ description: 'Path to the changed field.' }),
          from: Type.Unknown({ description: 'The value before the change, or null if there was none.' }),
          to: Type.Unknown({ description: 'The value after the change, or null if there is none.' }),
        }),
        { description: 'Differences from the previous version.' },
      ),
    }),
    { description: 'Newest first.' },
  ),
})

const presentBudgetOffer = (offer: OfferOfCatalog) => ({
  offer_uid: offer.offerUid,
  brand_uid: offer.brandUid,
  brand_name: offer.brandName,
  name: offer.name,
  state: offer.state,
  currency: offer.currency,
  start_date: offer.startDate,
  end_date: offer.endDate,
})

export function presentOffer(offer: OfferOfCatalog): Static<typeof CatalogOfferSchema> {
  const commissions = offer.groups.map(({ ratePpm, amount }) =>
    ratePpm === null ? toJsonNumber(BigInt(amount ?? '0'), offer.currency) : ppmToPercent(ratePpm),
  )
  const spend = (minor: bigint | null) => (minor === null ? null : toJsonNumber(minor, offer.currency))
  return {
    ...presentBudgetOffer(offer),
    category_id: offer.categoryId,
    offer_type: offer.offerType,
    reward_type: offer.rewardType,
    commission: Math.max(...commissions),
    commission_groups: offer.groups.length,
    min_spend: spend(offer.minSpend),
    max_spend: spend(offer.maxSpend),
    one_time_use: offer.oneTimeUse,
    new_customer_only: offer.newCustomerOnly,
    activation_required: offer.activationRequired,
    has_budget: (offer.budgets ?? []).length > 0,
    version: offer.version,
  }
}

export function toBudgetedOffer({ offerUid, version, startDate, endDate, budgets }: OfferOfCatalog): BudgetedOffer {
  return {
    offerUid,
    version,
    startDate,
    endDate,
    budgets: (budgets ?? []).map(({ period, amount }) => ({ period, amount: BigInt(amount) })),
  }
}

export function presentBudgets(offer: OfferOfCatalog, paces: readonly BudgetPace[]): Static<typeof BudgetSchema> {
  const money = (minor: bigint): number => toJsonNumber(minor, offer.currency)
  return {
    ...presentBudgetOffer(offer),
    budgets: paces.map(({ environment, period, startsOn, endsOn, amount, spent, spentPercent, elapsedPercent }) => ({
      environment,
      period,
      starts_on: startsOn,
      ends_on: endsOn,
      amount: money(amount),
      spent: money(spent),
      left: money(spent < amount ? amount - spent : 0n),
      spent_percent: spentPercent,
      elapsed_percent: elapsedPercent,
    })),
  }
}

/** Example for the API reference. */
const example = {
  offer_uid: 'off_3k1n',
  brand_uid: 'brand-market',
  brand_name: 'Corner Market',
  name: '5% back',
  state: 'live' as const,
  currency: 'USD',
  start_date: '2026-11-01',
  end_date: '2026-11-30',
}
export const offerExample: Static<typeof CatalogOfferSchema> = {
  ...example,
  category_id: 3,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: 5,
  commission_groups: 1,
  min_spend: 20,
  max_spend: null,
  one_time_use: false,
  new_customer_only: false,
  activation_required: true,
  has_budget: true,
  version: 4,
}
export const wholeOfferExample: Static<typeof WholeOfferSchema> = {
  ...offerExample,
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
export const budgetExample: Static<typeof BudgetSchema> = {
  ...example,
  budgets: [
    {
      environment: 'production',
      period: 'MONTH',
      starts_on: '2026-11-01',
      ends_on: '2026-11-30',
      amount: 5000,
      spent: 4650,
      left: 350,
      spent_percent: 93,
      elapsed_percent: 68,
    },
  ],
}
export const versionsExample: Static<typeof OfferVersionsSchema> = {
  offer_uid: 'off_3k1n',
  versions: [
    {
      version: 2,
      valid_from: '2026-11-10T08:00:00.000Z',
      changed_by: 'Ada',
      changed_by_name: 'Ada',
      content: { name: '5% back' },
      changes: [{ field: 'name', from: '4% back', to: '5% back' }],
    },
  ],
}
