import { given, type Reader, type Tx } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { type Account, type Balances, type Journal, type Posting, USER_ACCOUNTS } from './rules.ts'

type BalanceRow = Balances & { readonly userId: UserId }

/** Creates the balance rows of new users, which everything about a user locks. */
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

/** The balances of the publisher's users; others have no row and are left out. */
export async function balancesOf(
  reader: Reader,
  publisher: Publisher,
  userIds: readonly UserId[],
  lock = reader``,
): Promise<Map<UserId, Balances>> {
  const rows = await reader<BalanceRow[]>`
    select user_id, pending, available, held, debt, earned_total, redeemed_total
    from user_balances
    where publisher_id = ${publisher.id} and currency = ${publisher.currency} and user_id = any(${userIds as UserId[]}::uuid[])
    ${lock}`
  return new Map(rows.map(({ userId, ...balances }) => [userId, balances]))
}

/** The same, with the rows locked in sorted order: all, or those that no other transaction has locked. */
export function lockBalances(
  tx: Tx,
  publisher: Publisher,
  userIds: readonly UserId[],
  skipLocked: boolean,
): Promise<Map<UserId, Balances>> {
  return balancesOf(tx, publisher, userIds, tx`order by user_id for update ${skipLocked ? tx`skip locked` : tx``}`)
}

/** Journals, their postings and the deltas of shared accounts, in one statement. */
export async function insertJournals(tx: Tx, publisher: Publisher, journals: readonly Journal[]): Promise<void> {
  const headers = journals.map(({ cause, ...journal }) => ({
    ...journal,
    causeId: cause.id,
    causeVersion: cause.version,
    effectiveAt: cause.effectiveAt,
  }))
  const postings = journals.flatMap(({ journalId, postings }) =>
    postings.map((posting, line) => ({ journalId, line, ...posting })),
  )
  await tx`
    with deltas as (
      insert into ledger_deltas (publisher_id, account, owner, currency, amount)
      select ${publisher.id}, account, owner, ${publisher.currency}, amount
      from ${given(tx, sharedDeltas(postings), { account: 'plain', owner: 'text', amount: 'int8' })}
    ), posted as (
      select journal_id, array_agg(account order by line) as accounts, array_agg(owner order by line) as owners,
        array_agg(amount order by line) as amounts
      from ${given(tx, postings, { journalId: 'uuid', line: 'int2', account: 'plain', owner: 'text', amount: 'int8' })}
      group by journal_id
    )
    insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, created_at, currency,
      accounts, owners, amounts)
    select given.user_id, given.journal_id, ${publisher.id}, given.kind, given.cause_id, given.cause_version, given.effective_at,
      (select booking_time()), ${publisher.currency}, posted.accounts, posted.owners, posted.amounts
    from ${given(tx, headers, {
      ...{ userId: 'uuid', journalId: 'uuid', kind: 'plain' },
      ...{ causeId: 'uuid', causeVersion: 'int4', effectiveAt: 'timestamptz' },
    })}
    left join posted on posted.journal_id = given.journal_id`
}

/** One delta for each shared account of the batch, to fold fewer rows. */
function sharedDeltas(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, { account: Account; owner: string; amount: bigint }>()
  for (const { account, owner, amount } of postings) {
    if (USER_ACCOUNTS.includes(account)) continue
    const key = `${account}\n${owner}`
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { account, owner, amount })
    else sum.amount += amount
  }
  return [...sums.values()].filter((sum) => sum.amount !== 0n)
}

/** The rows are locked since `openBook`, so absolute values are safe. */
export async function writeBalances(tx: Tx, publisher: Publisher, rows: readonly BalanceRow[]): Promise<void> {
  await tx`
    update user_balances as b set
      pending = given.pending, available = given.available, held = given.held, debt = given.debt,
      earned_total = given.earned_total, redeemed_total = given.redeemed_total
    from ${given(tx, rows, {
      ...{ userId: 'uuid', pending: 'int8', available: 'int8', held: 'int8', debt: 'int8' },
      ...{ earnedTotal: 'int8', redeemedTotal: 'int8' },
    })}
    where b.user_id = given.user_id and b.currency = ${publisher.currency} and b.publisher_id = ${publisher.id}`
}

/** The exact balance of a shared account in minor units, debit positive: rollup plus deltas. */
export async function sharedBalance(
  reader: Reader,
  publisher: Publisher,
  account: Account,
  owner = '',
): Promise<bigint> {
  const [row] = await reader<{ balance: bigint }[]>`
    select (
      coalesce((
        select balance from ledger_rollups
        where publisher_id = ${publisher.id} and account = ${account} and owner = ${owner} and currency = ${publisher.currency}), 0)
      + coalesce((
        select sum(amount) from ledger_deltas
        where publisher_id = ${publisher.id} and account = ${account} and owner = ${owner} and currency = ${publisher.currency}), 0)
    )::int8 as balance`
  return row?.balance ?? 0n
}
