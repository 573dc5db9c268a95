import Type from 'typebox'
import { ppmToPercent, toJsonNumber } from '../../platform/money.ts'
import { boolean, day, field, integer, money, oneOf, text } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { OFFER_TYPES, type Period, REWARD_TYPES } from './offer.ts'

/**
 * An offer's state on the current UTC day: before its first day, between its first and last days, after its last day,
 * or removed from the catalog.
 */
export const OFFER_STATES = ['scheduled', 'live', 'ended', 'retired'] as const

/** The fields of every list of offers. */
export const OFFER_FIELDS = {
  offer_uid: text({ example: 'off_3k1n' }),
  brand_uid: text({ example: 'brand-market' }),
  brand_name: text({ example: 'Corner Market' }),
  name: text({ example: '5% back' }),
  state: oneOf(OFFER_STATES, {
    example: 'live',
    description:
      'By the current UTC day: before its first day, running, after its last day, or removed from the catalog.',
  }),
  currency: text({ example: 'USD' }),
  start_date: day({ nullable: true, example: '2026-11-01', description: 'The first day, or null if none is set.' }),
  end_date: day({ nullable: true, example: '2026-11-30', description: 'The last day, or null if none is set.' }),
}

/** Rates in parts per million or amounts in minor units, depending on the reward type. */
type Groups = readonly { readonly ratePpm: number | null; readonly amount: string | null }[]
/** Amounts in minor units. */
type Budgets = readonly { readonly period: Period; readonly amount: string }[]

/** An offer as operators see it, regardless of which publishers carry it. */
export const CATALOG_OFFER = resource('OfferOfCatalog', {
  ...OFFER_FIELDS,
  category_id: integer({ example: 3 }),
  offer_type: oneOf(OFFER_TYPES, { example: 'CARD_LINKED' }),
  reward_type: oneOf(REWARD_TYPES, { example: 'CASHBACK_PERCENTAGE' }),
  commission: field(
    Type.Number({
      description: 'Highest commission group, gross: a percentage or an amount, depending on the reward type.',
    }),
    { property: 'groups', example: 5 },
    (groups: Groups, { currency }: { readonly currency: string }) =>
      Math.max(
        ...groups.map(({ ratePpm, amount }) =>
          ratePpm === null ? toJsonNumber(BigInt(amount ?? '0'), currency) : ppmToPercent(ratePpm),
        ),
      ),
  ),
  commission_groups: field(
    Type.Integer({
      description: 'Number of commission groups. The items of a purchase may fall into different groups.',
    }),
    { property: 'groups', example: 1 },
    (groups: Groups) => groups.length,
  ),
  min_spend: money({ nullable: true, example: 20, description: 'Minimum purchase amount, or null for no limit.' }),
  max_spend: money({
    nullable: true,
    example: null,
    description: 'Maximum amount that earns a reward, or null for no limit.',
  }),
  one_time_use: boolean({ example: false, description: 'Whether the offer rewards each user only once.' }),
  new_customer_only: boolean({
    example: false,
    description: 'Whether the offer rewards only new customers of the brand.',
  }),
  activation_required: boolean({
    example: true,
    description: 'Whether users must activate the offer before the purchase.',
  }),
  has_budget: field(
    Type.Boolean({
      description:
        'Whether the cost of the offer is limited by a budget; `GET /operator/budgets` returns the remaining amount.',
    }),
    { property: 'budgets', example: true },
    (budgets: Budgets) => budgets.length > 0,
  ),
  version: integer({ example: 4, description: 'Increases by one with each change to the offer.' }),
})

export type OfferOfCatalog = ResourceRow<typeof CATALOG_OFFER>
