import { type Day, toDay } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { KeyLimits } from '../../platform/http/callers/key-limits.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import type { AccountId, Role } from '../accounts/index.ts'
import type { OperatorId } from './operator.ts'

type KnownOperator = KeyLimits & {
  readonly id: OperatorId
  readonly name: string
  /** For a personal key, the person's role. */
  readonly role: Role
  readonly accountId: AccountId | null
  readonly accountName: string | null
  readonly lastUsedOn: Day | null
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

// all publishers: only people of the operating company have personal keys
const columns = (reader: Reader) => reader`
  operator_id as id, name, account_id,
  coalesce((select a.role from accounts a where a.account_id = operators.account_id), role) as role,
  (select a.name from accounts a where a.account_id = operators.account_id) as account_name,
  prefix, last_four, created_at, revoked_at, last_used_on, expires_at, address_ranges`

/** Finds a key that has not been revoked. For a personal key, the account must be enabled. */
export async function findLiveOperator(reader: Reader, sha256: Buffer): Promise<KnownOperator | null> {
  // all publishers: only people of the operating company have personal keys
  const [row] = await reader<KnownOperator[]>`
    select ${columns(reader)} from operators
    where sha256 = ${sha256} and revoked_at is null
      and not exists (
        select from accounts a where a.account_id = operators.account_id and a.disabled_at is not null)`
  return row ?? null
}

/** Records the day on which keys were last used. Only the first use each day is written. */
export async function markOperatorsUsed(tx: Tx, operatorIds: readonly string[], day: Date): Promise<void> {
  await tx`
    update operators set last_used_on = ${toDay(day, 'UTC')}
    where operator_id = any(${operatorIds as string[]}::uuid[])
      and (last_used_on is null or last_used_on < ${toDay(day, 'UTC')})`
}

export async function listOperators(reader: Reader): Promise<KnownOperator[]> {
  return reader<KnownOperator[]>`select ${columns(reader)} from operators order by created_at, operator_id`
}

const LOCAL = 'local:'

/**
 * Returns the names of these actors: people, operator keys, and operating-system accounts that ran a command. The ID of
 * any other actor, such as `publisher` or `laurel`, is also its name.
 */
export async function listActorNames(reader: Reader, actorIds: readonly string[]): Promise<Map<string, string>> {
  if (actorIds.length === 0) return new Map()
  const { accounts, keys } = decodeActors(actorIds)
  // all publishers: staff of publishers can be actors too
  const rows = await reader<{ prefix: 'acc' | 'opr'; id: string; name: string }[]>`
    select 'acc' as prefix, account_id as id, name from accounts where account_id = any(${accounts}::uuid[])
    union all
    select 'opr', operator_id, name from operators where operator_id = any(${keys}::uuid[])`
  const known = new Map(rows.map(({ prefix, id, name }) => [encodeId(prefix, id), name]))
  return new Map(actorIds.map((id) => [id, known.get(id) ?? (id.startsWith(LOCAL) ? id.slice(LOCAL.length) : id)]))
}

/** Counts the enabled accounts and the active keys among these actors. */
export async function countLiveActors(reader: Reader, actorIds: readonly string[]): Promise<number> {
  const { accounts, keys } = decodeActors(actorIds)
  // all publishers: only staff of the operating company
  const [row] = await reader<[{ count: number }]>`
    select (
      (select count(*) from accounts where account_id = any(${accounts}::uuid[]) and disabled_at is null)
      + (select count(*) from operators where operator_id = any(${keys}::uuid[]) and revoked_at is null)
    )::int as count`
  return row.count
}

function decodeActors(actorIds: readonly string[]) {
  const accounts = actorIds.flatMap((actorId) => decodeId<'account'>('acc', actorId) ?? [])
  const keys = actorIds.flatMap((actorId) => decodeId<'operator'>('opr', actorId) ?? [])
  return { accounts, keys }
}

export async function insertOperator(
  tx: Tx,
  operator: Omit<KnownOperator, 'accountName'>,
  sha256: Buffer,
): Promise<void> {
  const { id: operatorId, ...row } = operator
  await tx`insert into operators ${tx({ operatorId, ...row, sha256 })}`
}

export async function markOperatorRevoked(tx: Tx, operatorId: OperatorId, now: Date): Promise<KnownOperator | null> {
  const [row] = await tx<KnownOperator[]>`
    update operators set revoked_at = ${now} where operator_id = ${operatorId} and revoked_at is null
    returning ${columns(tx)}`
  return row ?? null
}
