import type { Database } from '../../src/platform/db/database.ts'

type Size = { readonly brands: number; readonly offers: number; readonly stores: number }

// Limits the brands inserted per statement, so that no statement holds an entire table's rows in memory.
const AT_ONCE = 10_000

/**
 * Generates a catalog inside the database. Brand names combine a thousand first words with ten second words, plus a
 * surname once those repeat. Offers are of every type, half of them with their own short description. Every twentieth
 * offer has stores scattered across the United States. Some offers have expired, and some are only for new customers.
 */
export async function fillLargeCatalog(db: Database, size: Size, say: (message: string) => void): Promise<void> {
  await db.reader`
    insert into categories (category_id, category)
    select n, 'CATEGORY ' || chr(64 + n) from generate_series(1, 20) n`
  for (let from = 0; from < size.brands; from += AT_ONCE) {
    await insertBrands(db, size, from, Math.min(from + AT_ONCE, size.brands) - 1)
    say(`${Math.min(from + AT_ONCE, size.brands)} of ${size.brands} brands`)
  }
  await db.reader`update catalog_version set version = version + 1`
  await db.reader`vacuum analyze brands, offers, stores`
}

async function insertBrands(db: Database, size: Size, first: number, last: number): Promise<void> {
  const perBrand = Math.round(size.offers / size.brands)
  const storeEvery = 20
  const perOffer = Math.round((size.stores * storeEvery) / size.offers)
  await db.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into brands (brand_uid, category_id, name, website, aliases, domains, merchant_ids, mccs, content_sha256)
      select 'brd_' || md5(n::text), 1 + n % 20, ${buildName(tx, 'n')}, 'https://brand' || n || '.example', array['B' || n],
        array['brand' || n || '.example'], '{}', '{}', ''
      from generate_series(${first}::int, ${last}::int) n`
    await tx`
      insert into offers (offer_uid, brand_uid, offer_type, reward_type, currency, name, description, formatted_description,
        commission_groups, refund_period_days, voucher_code, one_time_use, new_customer_only, new_customer_days, min_spend, max_spend,
        denominations, start_date, end_date, terms_and_conditions, content_sha256)
      select 'off_' || md5(n || ' ' || k), 'brd_' || md5(n::text),
        (array['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE', 'CARD_LINKED'])[1 + (n + k) % 5],
        case when (n + k) % 7 = 0 then 'CASHBACK_DOLLAR' else 'CASHBACK_PERCENTAGE' end, 'USD',
        (array['Cashback at ', 'Weekend deal from ', 'Gift card of ', 'Save on everything: '])[1 + k % 4] || ${buildName(tx, 'n')},
        'Pay at ' || ${buildName(tx, 'n')} || ' as you always do and get a part of the purchase back. Offer ' || k || ' of this brand.',
        case when n % 2 = 0 then 'Earn cashback at ' || ${buildName(tx, 'n')} end,
        jsonb_build_array(jsonb_build_object('name', null, 'productGroups', '[]'::jsonb, 'skus', '[]'::jsonb, 'customer', null,
          'minAmount', null, 'maxAmount', null,
          'ratePpm', case when (n + k) % 7 > 0 then 10000 + (n * 7 + k * 13) % 200 * 500 end,
          'amount', case when (n + k) % 7 = 0 then (100 + n % 1000)::text end)),
        30, case when (n + k) % 5 = 3 then 'SAVE' || n end, (n + k) % 50 = 0, (n + k) % 60 = 0, 365, 1000, 50000, '{}', '2026-01-01',
        case when (n + k) % 25 = 0 then '2026-02-01'::date end,
        'Taxes, tips and shipping do not count. Not to be combined with other offers of the brand. Variant ' || k || '.', ''
      from generate_series(${first}::int, ${last}::int) n, generate_series(1, ${perBrand}::int) k
      order by n, k`
    await tx`
      insert into stores (offer_uid, position, location_name, street_address1, city, state, zip_code, latitude, longitude,
        complete_address, country)
      select 'off_' || md5(n || ' 1'), s, 'Store ' || s, s || ' Main Street', 'Springfield', (array['NY', 'TX', 'CA', 'IL'])[1 + n % 4],
        lpad((10000 + n % 80000)::text, 5, '0'), 30 + (hashint4(n * 31 + s) & 65535) / 65535.0 * 15,
        -120 + (hashint4(n * 17 + s) & 65535) / 65535.0 * 45, s || ' Main Street, Springfield', 'US'
      from generate_series(${first}::int, ${last}::int) n, generate_series(1, ${perOffer}::int) s
      where n % ${Math.max(1, Math.round(storeEvery / perBrand))}::int = 0`
  })
}

type Sql = Database['reader']

/**
 * Builds a name from one of a thousand three-syllable words, one of ten second words and, from the 10,000th name on, a
 * surname.
 */
function buildName(sql: Sql, n: string) {
  return sql.unsafe(`(initcap(
    (array['bar','cel','dor','fen','gal','hol','jun','kes','lom','mir'])[1 + ${n} % 10] ||
    (array['ba','ce','do','fe','ga','ho','ju','ke','lo','mi'])[1 + ${n} / 10 % 10] ||
    (array['nor','pel','quil','ros','sed','tam','vel','wim','yar','zon'])[1 + ${n} / 100 % 10]) || ' ' ||
    (array['Market','Outfitters','Kitchen','Electronics','Travel','Garden','Books','Pharmacy','Motors','Shoes'])[1 + ${n} / 1000 % 10] ||
    case when ${n} >= 10000 then ' ' || chr(65 + ${n} / 10000) || lower(chr(65 + ${n} / 7 % 26)) || lower(chr(65 + ${n} / 31 % 26)) || 'son' else '' end)`)
}
