import { type Day, toDay } from '../../platform/calendar.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { enumField, idField, textField } from '../../platform/http/index.ts'
import { equals, type OperatorList } from '../../tenants/access/index.ts'
import { categoryField } from './brand-operator-schema.ts'
import type { OfferContent } from './feed/normal-form.ts'
import { OFFER_TYPES } from './offer.ts'
import { OFFER_STATES, type OfferOfCatalog } from './offer-operator-schema.ts'

const deriveState = (reader: Reader, today: Day) => reader`
  case when offers.retired_at is not null then 'retired' when offers.end_date < ${today} then 'ended'
    when offers.start_date > ${today} then 'scheduled' else 'live' end`
const brandColumn = (reader: Reader, column: string) => reader`
  (select b.${reader(column)} from brands b where b.brand_uid = offers.brand_uid)`
const offerColumns = (reader: Reader, today: Day) => reader`
  offers.offer_uid, offers.brand_uid, ${brandColumn(reader, 'name')} as brand_name,
  ${brandColumn(reader, 'category_id')} as category_id, offers.name, offers.offer_type, offers.reward_type,
  offers.currency, ${deriveState(reader, today)} as state, offers.start_date, offers.end_date, offers.version,
  offers.min_spend, offers.max_spend, offers.one_time_use, offers.new_customer_only,
  coalesce((offers.conditions ->> 'activationRequired')::boolean, false) as activation_required,
  offers.commission_groups as groups, coalesce(offers.conditions -> 'budgets', '[]') as budgets`

/** Finds an offer, even a retired one, with its content in catalog-file format; null if there is none. */
export async function findOfferOfCatalog(
  reader: Reader,
  offerUid: string,
  today: Day,
): Promise<(OfferOfCatalog & { readonly content: OfferContent }) | null> {
  const [offer] = await reader<(OfferOfCatalog & { content: OfferContent })[]>`
    select ${offerColumns(reader, today)}, v.content
    from offers join offer_versions v on v.offer_uid = offers.offer_uid and v.version = offers.version
    where offers.offer_uid = ${offerUid}`
  return offer ?? null
}

/** Returns a LIKE pattern for values that contain the text. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The filter that selects one brand's offers. */
export const brandFilter = { brand_uid: equals('brand_uid', idField('Only offers of this brand.')) } as const

/** Builds the list of the catalog's offers, newest first. */
export function offerList(clock: Clock): OperatorList<OfferOfCatalog> {
  const today = () => toDay(clock.now(), 'UTC')
  return {
    table: 'offers',
    id: null,
    columns: (reader) => offerColumns(reader, today()),
    sorts: { '-created': { type: 'ordinal', column: 'ordinal' }, created: { type: 'ordinal', column: 'ordinal' } },
    filters: {
      ...brandFilter,
      category_id: {
        parameter: categoryField('Only offers of brands in this category.'),
        unindexed: true,
        where: (reader, _table, categoryId: number) => reader`${brandColumn(reader, 'category_id')} = ${categoryId}`,
      },
      state: {
        parameter: enumField(OFFER_STATES, 'Only offers in this state.'),
        unindexed: true,
        where: (reader, _table, state: OfferOfCatalog['state']) => reader`${deriveState(reader, today())} = ${state}`,
      },
      offer_type: { ...equals('offer_type', enumField(OFFER_TYPES, 'Only offers of this type.')), unindexed: true },
      search_text: {
        parameter: textField(255, "Only offers with this text in their name or their brand's name, or with this id."),
        unindexed: true,
        where: (reader, _table, text: string) => {
          const like = likePattern(text)
          return reader`
            (offers.name ilike ${like} or ${brandColumn(reader, 'name')} ilike ${like} or offers.offer_uid = ${text})`
        },
      },
    },
  }
}
