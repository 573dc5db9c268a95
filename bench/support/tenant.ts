import type { Database, Tx } from '../../src/platform/db/database.ts'
import { toUserId, type UserId } from '../../src/platform/ids.ts'
import { createApiKey } from '../../src/tenants/access/index.ts'
import { changeSettings, createPublisher, type Publisher } from '../../src/tenants/publishers/index.ts'
import { publishTerms } from '../../src/users/terms/index.ts'

export type Tenant = { readonly publisher: Publisher; readonly apiKey: string; readonly documentId: number }
type Limits = Partial<Pick<Publisher, 'readsPerSecond' | 'writesPerSecond' | 'eventsPerSecond'>>
export type BenchUser = { readonly userId: UserId; readonly accountId: string }

// High enough that rate limits do not affect the measurements.
const UNLIMITED = 1_000_000
// Users accept the terms and link their cards long before they buy anything.
export const JOINED = new Date('2026-01-01T00:00:00Z')
const AT_ONCE = 10_000

export function createTenant(db: Database): Promise<Tenant> {
  return db.transaction(async (tx) => {
    const unlimited = { readsPerSecond: UNLIMITED, writesPerSecond: UNLIMITED, eventsPerSecond: UNLIMITED }
    return insertTenant(tx, await publishBenchTerms(tx), 'sandbox', unlimited)
  })
}

/** Creates two sandboxes, the first with the default limits. */
export function createSandboxes(db: Database, limitsOfSecond: Limits): Promise<[Tenant, Tenant]> {
  return db.transaction(async (tx) => {
    const documentId = await publishBenchTerms(tx)
    return [
      await insertTenant(tx, documentId, 'sandbox', {}),
      await insertTenant(tx, documentId, 'sandbox', limitsOfSecond),
    ]
  })
}

async function publishBenchTerms(tx: Tx): Promise<number> {
  const terms = { url: 'https://example.com/terms', revision: '1', requiredFrom: JOINED }
  return (await publishTerms(tx, terms, JOINED)).documentId
}

async function insertTenant(
  tx: Tx,
  documentId: number,
  environment: Publisher['environment'],
  limits: Limits,
): Promise<Tenant> {
  const { id } = await createPublisher(tx, { name: 'Bench', environment }, JOINED)
  const publisher = await changeSettings(tx, id, { feePpm: 100_000, sharePpm: 200_000, ...limits })
  const { apiKey } = await createApiKey(tx, publisher, null, JOINED)
  return { publisher, apiKey, documentId }
}

export function buildUserName(number: number): string {
  return `user-${number}`
}

/** Creates active users, each with one linked card. */
export async function createUsers(db: Database, tenant: Tenant, count: number): Promise<BenchUser[]> {
  const users = Array.from({ length: count }, (_, number) => ({
    userId: toUserId(tenant.publisher.id, buildUserName(number)),
    accountId: `account-${number}`,
  }))
  for (let from = 0; from < count; from += AT_ONCE) {
    await insertUsers(db, tenant, users.slice(from, from + AT_ONCE), from)
  }
  // Analyzes only the tables that have rows. The planner assumes that an analyzed empty table stays empty.
  await db.reader`analyze users, terms_acceptances, user_balances, links, cards, card_accounts`
  return users
}

async function insertUsers(
  db: Database,
  { publisher, documentId }: Tenant,
  users: readonly BenchUser[],
  from: number,
): Promise<void> {
  const userIds = users.map((user) => user.userId)
  await db.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    const given = tx`unnest(${userIds}::uuid[], ${users.map((user) => user.accountId)}::text[]) with ordinality
      as given (user_id, account_id, place)`
    await tx`
      insert into users (user_id, publisher_id, publisher_user_id, email, primary_zip_code, created_at, updated_at)
      select user_id, ${publisher.id}, 'user-' || ${from} + place - 1, 'user-' || ${from} + place - 1 || '@example.com', '10001',
        ${JOINED}::timestamptz + (${from} + place) * interval '1 second', ${JOINED}::timestamptz + (${from} + place) * interval '1 second'
      from ${given}`
    await tx`
      insert into terms_acceptances (user_id, document_id, accepted_at, publisher_id)
      select user_id, ${documentId}, ${JOINED}, ${publisher.id} from ${given}`
    await tx`
      insert into user_balances (user_id, currency, publisher_id)
      select user_id, ${publisher.currency}, ${publisher.id} from ${given}`
    await tx`
      insert into links (user_id, link_id, publisher_id, institution_id, institution_name, linked_at)
      select user_id, user_id, ${publisher.id}, 'ins_1', 'First Bank', ${JOINED} from ${given}`
    await tx`
      insert into cards (user_id, card_id, publisher_id, link_id, account_id, name, mask, linked_at)
      select user_id, user_id, ${publisher.id}, user_id, account_id, 'Checking', '0000', ${JOINED} from ${given}`
    await tx`
      insert into card_accounts (user_id, card_id, account_id, publisher_id)
      select user_id, user_id, account_id, ${publisher.id} from ${given}`
    await tx`insert into list_count_deltas (publisher_id, list, delta) values (${publisher.id}, 'users', ${users.length})`
  })
}
