import { plainArray, type Reader } from '../../platform/database.ts'
import { SYNC_GAP_MS } from '../schedule/bounds.ts'

/** What webhooks have told of one item. */
export type Hint = {
  readonly fingerprint: Buffer
  /** Whether it is about how the login is. */
  readonly check: boolean
  /** Whether it tells that the user has signed in again. */
  readonly repaired: boolean
  /** The disconnection that was told before that, and so is settled by it. */
  readonly settles: Date | null
  /** When the login will be disconnected, should it tell that after. */
  readonly disconnectsAt: Date | null
  /** Whether it tells of accounts that the user has not been asked about. */
  readonly newAccounts: boolean
}

/** One statement's outcome for one item that is linked. */
type Told = { readonly fingerprint: string; readonly isHeld: boolean }

/**
 * Hints of different items: asks for a sync of each, and for a check of its login where the hint is about that; both as
 * soon as the provider's limits for one item allow. An item that another transaction holds at this moment is left out
 * rather than waited for, or one would keep the others waiting. Answers which items were there, and which left out.
 */
export async function storeHints(reader: Reader, hints: readonly Hint[], now: Date): Promise<Told[]> {
  const plain = (pick: (hint: Hint) => string | null): string => plainArray(hints.map(pick))
  const instants = (pick: (hint: Hint) => Date | null): string => plain((hint) => pick(hint)?.toISOString() ?? null)
  const settledAt = reader`case when hint.repaired
    then greatest(coalesce(disconnects_at, disconnect_settled_at), hint.settles) else disconnect_settled_at end`
  // all publishers: the provider names the item, and the item tells whose it is
  return reader<Told[]>`
    with hint as (
      select decode(hex, 'hex') as item_fingerprint, asks_check, repaired, settles, told_end, new_accounts
      from unnest(
        ${plain((hint) => hint.fingerprint.toString('hex'))}::text::text[], ${plain((hint) => String(hint.check))}::text::boolean[],
        ${plain((hint) => String(hint.repaired))}::text::boolean[], ${instants((hint) => hint.settles)}::text::timestamptz[],
        ${instants((hint) => hint.disconnectsAt)}::text::timestamptz[], ${plain((hint) => String(hint.newAccounts))}::text::boolean[]
      ) as given (hex, asks_check, repaired, settles, told_end, new_accounts)
    ),
    free as (
      select user_id, link_id, item_fingerprint from linker_items
      where item_fingerprint in (select item_fingerprint from hint)
      for update skip locked
    ),
    written as (
      update linker_items i set
        hinted_at = ${now}, sync_requests = sync_requests + 1, sync_asked = true,
        sync_due_at = least(sync_due_at, greatest(${now}, synced_at + ${SYNC_GAP_MS} * interval '1 ms')),
        check_requests = check_requests + hint.asks_check::integer, new_accounts_hinted = new_accounts_hinted or hint.new_accounts,
        check_due_at = case when hint.asks_check then least(check_due_at, ${now}) else check_due_at end,
        disconnect_settled_at = ${settledAt},
        disconnects_at = case
          when hint.told_end > coalesce(${settledAt}, '-infinity') then hint.told_end
          when hint.repaired then null
          else disconnects_at end
      from free join hint using (item_fingerprint)
      where i.user_id = free.user_id and i.link_id = free.link_id
      returning i.user_id, i.link_id
    )
    select encode(item_fingerprint, 'hex') as fingerprint, bool_or(written.link_id is null) as "isHeld"
    from linker_items join hint using (item_fingerprint) left join written using (user_id, link_id)
    group by item_fingerprint`
}
