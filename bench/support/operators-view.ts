import type { Database, Tx } from '../../src/platform/db/database.ts'
import { fillUsers } from './many-users.ts'
import type { Tenant } from './tenant.ts'

// A catalog that a service can load within seconds.
const OFFERS = 100_000
const BRANDS = 1_000

/**
 * Inserts what operators list: users with one purchase each, the same number of deliveries and audit log entries, and
 * offers.
 */
export async function fillForOperators(
  db: Database,
  tenant: Tenant,
  rows: number,
  say: (message: string) => void,
): Promise<void> {
  await fillUsers(db, tenant, rows, say)
  say('operator-lists: deliveries, the audit log, logins and offers are made')
  await db.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await insertDeliveries(tx, tenant, rows)
    await tx`
      insert into audit_log (audit_id, at, actor, actor_name, action, subject, after)
      select uuidv7((n - ${rows}::int) * interval '1 second'), now() + (n - ${rows}::int) * interval '1 second', 'opr_1', 'Ada',
        case when n % 1000 = 0 then 'month.closed' else 'key.created' end, 'key_' || n % 10000, '{"scopes": ["users:read"]}'
      from generate_series(1, ${rows}::int) n`
    await insertLogins(tx, tenant)
    await insertOffers(tx)
  })
  await db.reader`vacuum analyze webhook_deliveries, audit_log, links, linker_items, brands, offers`
}

async function insertDeliveries(tx: Tx, tenant: Tenant, rows: number) {
  const { publisher } = tenant
  await tx`
    insert into webhook_endpoints (publisher_id, endpoint_id, url, sealed_secret, created_at)
    select ${publisher.id}, gen_random_uuid(), 'https://acme.example/' || n, ''::bytea, now() from generate_series(1, 4) n`
  await tx`
    insert into webhook_deliveries (
      publisher_id, endpoint_id, user_id, event_id, type, sequence, status, attempts, response_status, exhausted_position)
    select ${publisher.id}, endpoints.ids[1 + n % 4], gen_random_uuid(), gen_random_uuid(),
      case when n % 10 = 0 then 'user.created' else 'transaction.created' end, n,
      case when n % 1000 = 0 then 'exhausted' else 'delivered' end, 1, 200, case when n % 1000 = 0 then n end
    from generate_series(1, ${rows}::int) n,
      (select array_agg(endpoint_id) as ids from webhook_endpoints where publisher_id = ${publisher.id}) as endpoints`
}

/** Inserts a login for every user. One in twenty is broken. */
async function insertLogins(tx: Tx, { publisher }: Tenant) {
  await tx`
    insert into links (user_id, link_id, publisher_id, institution_id, institution_name, linked_at, error)
    select user_id, user_id, publisher_id, 'ins_1', 'First Bank', created_at,
      case when extract(epoch from created_at)::int % 20 = 0 then 'NEED_AUTHENTICATION' end
    from users where publisher_id = ${publisher.id}`
  await tx`
    insert into linker_items (
      user_id, link_id, publisher_id, owner, sealed_token, item_fingerprint, sync_due_at, synced_at, sync_requests)
    select user_id, user_id, publisher_id, 'service', ''::bytea, decode(md5(user_id::text), 'hex'), 'infinity', now(), 0
    from users where publisher_id = ${publisher.id}`
}

async function insertOffers(tx: Tx) {
  const group = JSON.stringify([
    {
      name: null,
      ratePpm: 50_000,
      amount: null,
      productGroups: [],
      skus: [],
      customer: null,
      minAmount: null,
      maxAmount: null,
    },
  ])
  await tx`insert into categories (category_id, category) values (1, 'GROCERY'), (2, 'TRAVEL')`
  await tx`
    insert into brands (brand_uid, category_id, name, aliases, domains, merchant_ids, mccs, content_sha256)
    select 'lists-' || n, 1 + n % 2, 'Brand ' || n, '{}', '{}', '{}', '{}', '' from generate_series(1, ${BRANDS}::int) n`
  await tx`
    insert into offers (
      offer_uid, brand_uid, offer_type, reward_type, currency, name, commission_groups, refund_period_days, one_time_use,
      new_customer_only, new_customer_days, denominations, content_sha256, conditions, end_date)
    select 'lists-' || n, 'lists-' || 1 + n % ${BRANDS}::int, 'CARD_LINKED', 'CASHBACK_PERCENTAGE', 'USD', 'Offer ' || n,
      ${group}::text::jsonb, 30, false, false, 365, '{}', '',
      case when n % 100 = 0 then '{"budgets": [{"period": "MONTH", "amount": "500000"}]}' else '{}' end::jsonb,
      case when n % 10 = 0 then date '2020-01-01' end
    from generate_series(1, ${OFFERS}::int) n`
}
