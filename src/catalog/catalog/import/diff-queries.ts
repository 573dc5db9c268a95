import type { Tx } from '../../../platform/db/database.ts'
import { isRetiring } from './staging-queries.ts'

export type DiffRow = {
  readonly uid: string
  readonly name: string
  readonly brandName: string | null
  readonly known: boolean
  readonly retires: boolean
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>>
}

/** Lists the first brands an import changes, in feed order. */
export async function listChangedBrands(tx: Tx, limit: number): Promise<DiffRow[]> {
  return tx<DiffRow[]>`
    select s.brand_uid as uid, s.content ->> 'name' as name, null as brand_name, k.brand_uid is not null as known,
      coalesce(${isRetiring(tx)}, false) as retires, k.content as before, s.content as after
    from staged_brands s left join brands k on k.brand_uid = s.brand_uid
    order by s.position
    limit ${limit}`
}

/** Lists the first offers an import changes: retired ones, then changed ones, then new ones. */
export async function listChangedOffers(tx: Tx, limit: number): Promise<DiffRow[]> {
  return tx<DiffRow[]>`
    with first as (
      select s.offer_uid, s.brand_uid, s.computed, s.content, k.version, s.brand_position, s.position,
        k.offer_uid is not null as known, k.offer_uid is not null and ${isRetiring(tx)} as retires
      from staged_offers s left join offers k on k.offer_uid = s.offer_uid
      order by retires desc, known desc, s.brand_position, s.position
      limit ${limit}
    )
    select f.offer_uid as uid, f.computed ->> 'name' as name,
      coalesce(s.content ->> 'name', b.name) as brand_name, f.known, f.retires, v.content as before,
      f.content as after
    from first f
      left join staged_brands s on s.brand_uid = f.brand_uid
      left join brands b on b.brand_uid = f.brand_uid
      left join offer_versions v on v.offer_uid = f.offer_uid and v.version = f.version
    order by f.retires desc, f.known desc, f.brand_position, f.position`
}

/** Counts of continuing offers whose rewards, dates or conditions change. */
export type Effects = { readonly rates: number; readonly dates: number; readonly conditions: number }

const RATES = ['commission', 'commission_groups', 'customer_offer', 'max_customer_offer', 'currency', 'reward_type']
const DATES = ['start_date', 'end_date', 'days_of_week', 'hours']
const CONDITIONS = [
  ...['min_spend', 'max_spend', 'one_time_use', 'new_customer_only', 'new_customer_days', 'lapsed_customer_only'],
  ...['lapsed_customer_days', 'activation_required', 'user_limits', 'budgets', 'unique_codes', 'voucher_code'],
  ...['denominations', 'location', 'channels', 'store_addresses', 'refund_period_days'],
]

export async function countEffects(tx: Tx): Promise<Effects> {
  const differs = (fields: readonly string[]) => tx`
    count(*) filter (where exists (
      select 1 from unnest(${fields as string[]}::text[]) field where before -> field is distinct from after -> field
    ))::integer`
  const [row] = await tx<Effects[]>`
    select ${differs(RATES)} as rates, ${differs(DATES)} as dates, ${differs(CONDITIONS)} as conditions
    from (
      select v.content::jsonb as before, s.content::jsonb as after
      from staged_offers s
        join offers k on k.offer_uid = s.offer_uid
        join offer_versions v on v.offer_uid = k.offer_uid and v.version = k.version
      where not ${isRetiring(tx)}
    ) compared`
  return row as Effects
}
