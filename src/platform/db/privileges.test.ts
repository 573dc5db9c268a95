import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asService, testDatabase } from '../../../test/support/postgres.ts'
import { findSqlState, openDatabase } from './database.ts'

const database = await testDatabase('privileges')
const service = openDatabase(asService(database.url), { connections: 1 })

after(async () => {
  await service.close()
  await database.drop()
})

const NOT_ALLOWED = '42501'

const tryStatement = (statement: string): Promise<string | null> =>
  service.reader.unsafe(statement).then(
    () => null,
    (error: unknown) => findSqlState(error),
  )

const COLUMNS = {
  journals: 'amounts',
  payment_journals: 'amounts',
  payments: 'amount',
  statements: 'document',
  closings: 'cut_at',
  source_events: 'amount',
  postbacks: 'amount',
  audit_log: 'action',
  marketing_choices: 'agreed',
}

for (const [table, column] of Object.entries(COLUMNS))
  test(`the service may add to ${table} but neither change nor remove existing rows`, async () => {
    assert.equal(await tryStatement(`select from ${table}`), null)
    const [row] = await service.reader`select has_table_privilege(${table}, 'insert') as inserts`
    assert.equal(row?.['inserts'], true)
    assert.equal(await tryStatement(`update ${table} set ${column} = ${column}`), NOT_ALLOWED)
    assert.equal(await tryStatement(`delete from ${table}`), NOT_ALLOWED)
    assert.equal(await tryStatement(`truncate ${table}`), NOT_ALLOWED)
  })

test('the service may not alter tables or functions, disable triggers or record migrations', async () => {
  for (const statement of [
    'create table added (id integer)',
    'drop table users',
    'alter table users add column added integer',
    'alter table journals disable trigger all',
    'create index added on users (email)',
    'create or replace function postings_must_balance() returns trigger language sql as $$ select null $$',
    'truncate users',
    'insert into schema_migrations (number, name, sha256) values (9999, $$x$$, $$x$$)',
    "set session_replication_role = 'replica'",
  ])
    assert.equal(await tryStatement(statement), NOT_ALLOWED, statement)
})

// The tables that money depends on or that explain it to the cent: past terms, offers and decisions, who did what and
// when, and everything that was reported. New tables are included unless listed in privileges.ts.
const KEPT_FOR_EVER = [
  'adjustments',
  'alias_version',
  'announced_duplicates',
  'api_keys',
  'assortment_entries',
  'assortment_version',
  'audit_log',
  'brands',
  'budget_warnings',
  'card_accounts',
  'cards',
  'catalog_version',
  'categories',
  'claim_notes',
  'claims',
  'closings',
  'contradictions',
  'decisions',
  'erasures',
  'event_sequences',
  'feed_epochs',
  'feed_rows',
  'former_offers',
  'gift_card_orders',
  'gift_cards',
  'handed_over_items',
  'installation',
  'institutions',
  'journals',
  'ledger_added_up',
  'ledger_cut',
  'ledger_days',
  'ledger_rollups',
  'ledger_totals',
  'ledger_verification',
  'links',
  'list_counts',
  'marketing_choices',
  'match_aliases',
  'networks',
  'offer_activations',
  'offer_budget_slots',
  'offer_budgets',
  'offer_versions',
  'offers',
  'operators',
  'orphan_decisions',
  'payment_journals',
  'payments',
  'payout_cursors',
  'payout_destinations',
  'payout_files',
  'payout_payer',
  'portals',
  'postback_answers',
  'postbacks',
  'programs',
  'provider_institutions',
  'provider_pacing',
  'publisher_currencies',
  'publishers',
  'redemption_approvals',
  'redemption_steps',
  'redemptions',
  'rematch_changes',
  'rematches',
  'report_orders',
  'review_items',
  'schema_migrations',
  'source_claims',
  'source_events',
  'statements',
  'terms_acceptances',
  'terms_documents',
  'transactions',
  'user_balances',
  'user_deactivations',
  'users',
  'verified_balances',
  'verified_rollups',
  'voucher_codes',
]

test('the service cannot delete from any table whose rows are retained forever', async () => {
  const rows = await service.reader<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not has_table_privilege(oid, 'delete')
    order by relname`
  assert.deepEqual(
    rows.map(({ name }) => name),
    KEPT_FOR_EVER,
  )
})
