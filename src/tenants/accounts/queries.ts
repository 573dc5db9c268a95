import type { Reader } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'

/** Counts the enabled accounts among these actor IDs. */
export async function countOpenAccounts(reader: Reader, actorIds: readonly string[]): Promise<number> {
  const ids = actorIds.flatMap((actorId) => decodeId<'account'>('acc', actorId) ?? [])
  // all publishers: only staff of the operating company
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from accounts where account_id = any(${ids}::uuid[]) and disabled_at is null`
  return row?.count ?? 0
}
