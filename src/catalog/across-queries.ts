import type { Day } from '../platform/calendar.ts'
import type { Reader } from '../platform/database.ts'
import { type Walk, type Walked, walk } from '../platform/keyset.ts'
import type { OfferType, Period, RewardType } from './offer.ts'

/** By the day in UTC: before its first day, while it lasts, after its last day, or taken out of the catalog. */
export const OFFER_STATES = ['scheduled', 'live', 'ended', 'retired'] as const
type OfferState = (typeof OFFER_STATES)[number]

export type OfferOfCatalog = {
  readonly offerUid: string
  readonly ordinal: bigint
  readonly brandUid: string
  readonly brandName: string
  readonly categoryId: number
  readonly name: string
  readonly offerType: OfferType
  readonly rewardType: RewardType
  readonly currency: string
  readonly state: OfferState
  readonly startDate: Day | null
  readonly endDate: Day | null
  readonly version: number
  /** Rates in parts per million or amounts in minor units, as the reward type says. */
  readonly groups: readonly { readonly ratePpm: number | null; readonly amount: string | null }[]
  /** Minor units; null: none. */
  readonly budgets: readonly { readonly period: Period; readonly amount: string }[] | null
}

type OfferFilter = {
  readonly brandUid: string | null
  readonly categoryId: number | null
  readonly state: OfferState | null
  readonly type: OfferType | null
  /** In the name of the offer or its brand. */
  readonly text: string | null
  /** Only offers that are not retired and have a budget; of these ids alone, if they are given. */
  readonly budgeted: { readonly offerUids: readonly string[] | null } | null
}

/** Offers of the catalog in the order in which they came. */
export async function walkOffers(
  reader: Reader,
  filter: OfferFilter,
  today: Day,
  paging: Walk,
): Promise<Walked<OfferOfCatalog>> {
  const { brandUid, categoryId, state, type, text, budgeted } = filter
  const stateOf = reader`
    case when o.retired_at is not null then 'retired' when o.end_date < ${today} then 'ended'
      when o.start_date > ${today} then 'scheduled' else 'live' end`
  const brand = (column: string) => reader`(select b.${reader(column)} from brands b where b.brand_uid = o.brand_uid)`
  const like = text === null ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const isLookedFor = categoryId !== null || state !== null || type !== null || like !== null
  return walk<OfferOfCatalog>(
    reader,
    {
      columns: reader`
        o.offer_uid, o.ordinal, o.brand_uid, ${brand('name')} as brand_name, ${brand('category_id')} as category_id, o.name,
        o.offer_type, o.reward_type, o.currency, ${stateOf} as state, o.start_date, o.end_date, o.version,
        o.commission_groups as groups, o.conditions -> 'budgets' as budgets`,
      ...{ table: 'offers', alias: 'o', id: null, key: { column: reader`o.ordinal`, type: 'ordinal' } },
      indexed: reader`
        true ${brandUid === null ? reader`` : reader`and o.brand_uid = ${brandUid}`}
        ${budgeted === null ? reader`` : reader`and o.retired_at is null and o.conditions -> 'budgets' is not null`}
        ${budgeted?.offerUids == null ? reader`` : reader`and o.offer_uid = any(${budgeted.offerUids as string[]})`}`,
      others: !isLookedFor
        ? null
        : reader`
          ${categoryId === null ? reader`` : reader`and ${brand('category_id')} = ${categoryId}`}
          ${state === null ? reader`` : reader`and ${stateOf} = ${state}`}
          ${type === null ? reader`` : reader`and o.offer_type = ${type}`}
          ${like === null ? reader`` : reader`and (o.name ilike ${like} or ${brand('name')} ilike ${like})`}`,
    },
    paging,
  )
}
