import type { Day } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Walk, type Walked, walk } from '../../platform/db/keyset.ts'
import type { OfferContent } from './feed/normal-form.ts'
import type { OfferType, Period, RewardType } from './offer.ts'

/**
 * The states of an offer on the current day in UTC: before its first day, between first and last, after its last day,
 * or removed from the catalog.
 */
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
  /** Minor units; null if there is no limit. */
  readonly minSpend: bigint | null
  readonly maxSpend: bigint | null
  readonly oneTimeUse: boolean
  readonly newCustomerOnly: boolean
  readonly activationRequired: boolean
  /** Rates in parts per million or amounts in minor units, depending on the reward type. */
  readonly groups: readonly { readonly ratePpm: number | null; readonly amount: string | null }[]
  /** Amounts in minor units; null if the offer has no budgets. */
  readonly budgets: readonly { readonly period: Period; readonly amount: string }[] | null
}

type OfferFilter = {
  readonly brandUid: string | null
  readonly categoryId: number | null
  readonly state: OfferState | null
  readonly type: OfferType | null
  /** Matches part of the name of the offer or its brand, or the offer's whole id. */
  readonly text: string | null
  /** Restricts the list to offers that are not retired and have a budget, and to these ids if given. */
  readonly budgeted: { readonly offerUids: readonly string[] | null } | null
}

const stateOf = (reader: Reader, today: Day) => reader`
  case when o.retired_at is not null then 'retired' when o.end_date < ${today} then 'ended'
    when o.start_date > ${today} then 'scheduled' else 'live' end`
const brandColumn = (reader: Reader, column: string) => reader`
  (select b.${reader(column)} from brands b where b.brand_uid = o.brand_uid)`
/** For statements that alias offers as `o`. */
const offerColumns = (reader: Reader, today: Day) => reader`
  o.offer_uid, o.ordinal, o.brand_uid, ${brandColumn(reader, 'name')} as brand_name,
  ${brandColumn(reader, 'category_id')} as category_id, o.name, o.offer_type, o.reward_type, o.currency,
  ${stateOf(reader, today)} as state, o.start_date, o.end_date, o.version, o.min_spend, o.max_spend, o.one_time_use,
  o.new_customer_only, coalesce((o.conditions ->> 'activationRequired')::boolean, false) as activation_required,
  o.commission_groups as groups, o.conditions -> 'budgets' as budgets`

/** Finds an offer, retired or not, with its content as in a catalog file; null if there is none. */
export async function findOfferOfCatalog(
  reader: Reader,
  offerUid: string,
  today: Day,
): Promise<(OfferOfCatalog & { readonly content: OfferContent }) | null> {
  const [offer] = await reader<(OfferOfCatalog & { content: OfferContent })[]>`
    select ${offerColumns(reader, today)}, v.content
    from offers o join offer_versions v on v.offer_uid = o.offer_uid and v.version = o.version
    where o.offer_uid = ${offerUid}`
  return offer ?? null
}

/** Pages through the catalog's offers in the order they were added. */
export async function walkOffers(
  reader: Reader,
  filter: OfferFilter,
  today: Day,
  paging: Walk,
): Promise<Walked<OfferOfCatalog>> {
  const { brandUid, categoryId, state, type, text, budgeted } = filter
  const like = text === null ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const isLookedFor = categoryId !== null || state !== null || type !== null || like !== null
  return walk<OfferOfCatalog>(
    reader,
    {
      columns: offerColumns(reader, today),
      table: 'offers',
      alias: 'o',
      id: null,
      key: { column: reader`o.ordinal`, type: 'ordinal' },
      indexed: reader`
        true ${brandUid === null ? reader`` : reader`and o.brand_uid = ${brandUid}`}
        ${budgeted === null ? reader`` : reader`and o.retired_at is null and o.conditions -> 'budgets' is not null`}
        ${budgeted?.offerUids == null ? reader`` : reader`and o.offer_uid = any(${budgeted.offerUids as string[]})`}`,
      others: !isLookedFor
        ? null
        : reader`
          ${categoryId === null ? reader`` : reader`and ${brandColumn(reader, 'category_id')} = ${categoryId}`}
          ${state === null ? reader`` : reader`and ${stateOf(reader, today)} = ${state}`}
          ${type === null ? reader`` : reader`and o.offer_type = ${type}`}
          ${
            like === null
              ? reader``
              : reader`and (o.name ilike ${like} or ${brandColumn(reader, 'name')} ilike ${like}
            or o.offer_uid = ${text})`
          }`,
    },
    paging,
  )
}
