import { asTable, awaitAll, type Reader, type Tx } from '../platform/db/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import { type Balances, type Journal, type Posting, USER_ACCOUNTS, type Wallet } from './rules.ts'

type BalanceRow = Balances & { readonly userId: UserId; readonly currency: string }

/** Creates the balance rows of new users, because all work on a user locks such a row. */
export async function openBalances(tx: Tx, publisher: Publisher, userIds: readonly UserId[]): Promise<void> {
  await tx`
    insert into user_balances (user_id, currency, publisher_id)
    select user_id, ${publisher.currency}, ${publisher.id} from unnest(${userIds as UserId[]}::uuid[]) as given (user_id)
    on conflict do nothing`
}

export async function countDeltas(reader: Reader): Promise<number> {
  // all publishers: the whole queue is folded
  const [row] = await reader<{ count: number }[]>`select count(*)::int as count from ledger_deltas`
  return row?.count ?? 0
}

/** Returns the wallets of the publisher's users. Ignores the IDs of any other users. */
export async function readWallets(
  reader: Reader,
  publisher: Publisher,
  userIds: readonly UserId[],
): Promise<Map<UserId, Wallet>> {
  const rows = await reader<BalanceRow[]>`
    select user_id, currency, pending, available, held, debt, earned_total, redeemed_total
    from user_balances
    where publisher_id = ${publisher.id} and user_id = any(${userIds as UserId[]}::uuid[])`
  const wallets = new Map<UserId, Map<string, Balances>>()
  for (const { userId, currency, ...balances } of rows) {
    const wallet = wallets.get(userId)
    if (wallet === undefined) wallets.set(userId, new Map([[currency, balances]]))
    else wallet.set(currency, balances)
  }
  return wallets
}

/**
 * Locks users in sorted order and returns their wallets. With `skipLocked`, omits users locked by another transaction.
 * The wallets are read by a separate statement after the locks are granted, because another transaction may have
 * inserted a row in another currency while this one waited.
 */
export async function lockWallets(
  tx: Tx,
  publisher: Publisher,
  userIds: readonly UserId[],
  skipLocked: boolean,
): Promise<Map<UserId, Wallet>> {
  // Sent together, and executed in this order.
  const [locked, wallets] = await awaitAll([
    lockUsers(tx, publisher, userIds, skipLocked),
    readWallets(tx, publisher, userIds),
  ])
  return new Map([...wallets].filter(([userId]) => locked.has(userId)))
}

/** Locks each user's row in the publisher's default currency, which exists from the start. */
async function lockUsers(
  tx: Tx,
  publisher: Publisher,
  userIds: readonly UserId[],
  skipLocked: boolean,
): Promise<ReadonlySet<UserId>> {
  const lock = tx`for update ${skipLocked ? tx`skip locked` : tx``}`
  const rows = await tx<{ userId: UserId }[]>`
    select user_id from user_balances
    where publisher_id = ${publisher.id} and currency = ${publisher.currency} and user_id = any(${userIds as UserId[]}::uuid[])
    order by user_id ${lock}`
  return new Set(rows.map(({ userId }) => userId))
}

/** Inserts journals with their postings, and the deltas of shared accounts, in one statement. */
export async function insertJournals(tx: Tx, publisher: Publisher, journals: readonly Journal[]): Promise<void> {
  const headers = journals.map(({ cause, ...journal }) => ({
    ...journal,
    causeId: cause.id,
    causeVersion: cause.version,
    currency: cause.currency,
    effectiveAt: cause.effectiveAt,
  }))
  const postings = journals.flatMap(({ journalId, cause: { currency }, postings }) =>
    postings.map((posting, line) => ({ journalId, line, currency, ...posting })),
  )
  await tx`
    with deltas as (
      insert into ledger_deltas (publisher_id, account, owner, currency, amount)
      select ${publisher.id}, account, owner, currency, amount
      from ${asTable(tx, sharedDeltas(postings), { account: 'plain', owner: 'text', currency: 'plain', amount: 'int8' })}
    ), posted as (
      select journal_id, array_agg(account order by line) as accounts, array_agg(owner order by line) as owners,
        array_agg(amount order by line) as amounts
      from ${asTable(tx, postings, { journalId: 'uuid', line: 'int2', account: 'plain', owner: 'text', amount: 'int8' })}
      group by journal_id
    )
    insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, created_at, currency,
      accounts, owners, amounts)
    select given.user_id, given.journal_id, ${publisher.id}, given.kind, given.cause_id, given.cause_version, given.effective_at,
      (select booking_time()), given.currency, posted.accounts, posted.owners, posted.amounts
    from ${asTable(tx, headers, {
      userId: 'uuid',
      journalId: 'uuid',
      kind: 'plain',
      causeId: 'uuid',
      causeVersion: 'int4',
      currency: 'plain',
      effectiveAt: 'timestamptz',
    })}
    left join posted on posted.journal_id = given.journal_id`
}

type SharedDelta = Posting & { readonly currency: string }

/** Combines the deltas of each shared account, so that fewer rows need folding. */
function sharedDeltas(postings: readonly SharedDelta[]): SharedDelta[] {
  const shared = postings.filter(({ account }) => !USER_ACCOUNTS.includes(account))
  const ofAccounts = Map.groupBy(shared, ({ account, owner, currency }) => `${account}\n${owner}\n${currency}`)
  const sums = [...ofAccounts.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, amount: more.reduce((sum, { amount }) => sum + amount, first.amount) }],
  )
  return sums.filter(({ amount }) => amount !== 0n)
}

/**
 * Writes absolute balances, which is safe because the users have been locked since `openBook`. Inserts the rows of
 * currencies that are new to a user.
 */
export async function writeBalances(tx: Tx, publisher: Publisher, rows: readonly BalanceRow[]): Promise<void> {
  await tx`
    insert into user_balances (user_id, currency, publisher_id, pending, available, held, debt, earned_total, redeemed_total)
    select user_id, currency, ${publisher.id}, pending, available, held, debt, earned_total, redeemed_total
    from ${asTable(tx, rows, {
      userId: 'uuid',
      currency: 'plain',
      pending: 'int8',
      available: 'int8',
      held: 'int8',
      debt: 'int8',
      earnedTotal: 'int8',
      redeemedTotal: 'int8',
    })}
    on conflict (user_id, currency) do update set
      pending = excluded.pending, available = excluded.available, held = excluded.held, debt = excluded.debt,
      earned_total = excluded.earned_total, redeemed_total = excluded.redeemed_total`
}
