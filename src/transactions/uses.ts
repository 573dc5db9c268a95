import type { Tx } from '../platform/database.ts'
import type { PublisherId, TransactionId, UserId } from '../platform/ids.ts'
import { type OfferUse, writeOfferUses } from '../rewards/index.ts'

/** The uses of one-time offers of the users at hand, as they stand while a batch is worked through. */
export type Uses = {
  readonly before: ReadonlyMap<string, OfferUse>
  readonly holders: Map<string, OfferUse>
  isTaken(userId: UserId, offerUid: string, transactionId: TransactionId): boolean
}

export function openUses(uses: readonly OfferUse[]): Uses {
  const rows = uses.map((use) => [nameOf(use.userId, use.offerUid), use] as const)
  const holders = new Map(rows)
  return {
    before: new Map(rows),
    holders,
    isTaken: (userId, offerUid, transactionId) =>
      (holders.get(nameOf(userId, offerUid))?.transactionId ?? transactionId) !== transactionId,
  }
}

/** Whether this purchase holds the use now. */
export function claimUse(uses: Uses, userId: UserId, offerUid: string, transactionId: TransactionId): boolean {
  if (uses.isTaken(userId, offerUid, transactionId)) return false
  uses.holders.set(nameOf(userId, offerUid), { userId, offerUid, transactionId })
  return true
}

export function releaseUse(uses: Uses, userId: UserId, offerUid: string, transactionId: TransactionId): void {
  if (!uses.isTaken(userId, offerUid, transactionId)) uses.holders.delete(nameOf(userId, offerUid))
}

/** Writes what changed; the primary key refuses a second use even if all else failed. */
export async function writeUses(tx: Tx, publisherId: PublisherId, uses: Uses, now: Date): Promise<void> {
  const differs = (a: OfferUse, b: OfferUse | undefined): boolean => a.transactionId !== b?.transactionId
  const freed = [...uses.before].filter(([name, use]) => differs(use, uses.holders.get(name))).map(([, use]) => use)
  const taken = [...uses.holders].filter(([name, use]) => differs(use, uses.before.get(name))).map(([, use]) => use)
  await writeOfferUses(tx, publisherId, freed, taken, now)
}

function nameOf(userId: UserId, offerUid: string): string {
  return `${userId} ${offerUid}`
}
