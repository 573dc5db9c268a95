import { asTable, type Reader } from '../../../platform/db/database.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import { SYNC_GAP_MS } from '../schedule/timing.ts'

/** The content of webhooks about one item. */
export type Hint = {
  readonly fingerprint: Buffer
  /** The environment whose key signed the webhook. The webhook affects only items of this environment. */
  readonly environment: Environment
  /** True if the hint concerns the state of the login. */
  readonly asksCheck: boolean
  /** True if the user has signed in again. */
  readonly repaired: boolean
  /** The disconnection that was announced before the repair and that the repair resolves. */
  readonly settles: Date | null
  /** When the login will be disconnected, if that was announced after any repair. */
  readonly disconnectsAt: Date | null
  /** True if there are accounts that the user has not been asked to share. */
  readonly newAccounts: boolean
  /** Accounts whose consent the user has revoked at the bank. */
  readonly revokedAccounts: readonly string[]
}

type StoredHint = Pick<Hint, 'fingerprint' | 'environment'> & { readonly isHeld: boolean }

/**
 * Stores hints for different items. Requests a sync of each item, and a check if the hint concerns the login. Skips
 * locked items, so that they do not delay the others. Returns the items that exist and whether each was skipped.
 */
export async function storeHints(reader: Reader, hints: readonly Hint[], now: Date): Promise<StoredHint[]> {
  const settledAt = reader`case when hint.repaired
    then greatest(coalesce(i.disconnects_at, i.disconnect_settled_at), hint.settles) else i.disconnect_settled_at end`
  // all publishers: the provider names only the item, which belongs to one of them
  return reader<StoredHint[]>`
    with hint as (
      select * from ${asTable(reader, hints, {
        fingerprint: 'bytea',
        environment: 'plain',
        asksCheck: 'bool',
        repaired: 'bool',
        settles: 'timestamptz',
        disconnectsAt: 'timestamptz',
        newAccounts: 'bool',
        revokedAccounts: 'json',
      })}
    ),
    item as (
      select user_id, link_id, fingerprint, environment from linker_items
      join hint on hint.fingerprint = item_fingerprint
      join publishers using (publisher_id, environment)
    ),
    free as (
      select i.user_id, i.link_id, item.fingerprint, item.environment from linker_items i
      join item using (user_id, link_id)
      for update of i skip locked
    ),
    written as (
      update linker_items i set
        hinted_at = ${now}, sync_requests = sync_requests + 1, sync_asked = true,
        sync_due_at = least(sync_due_at, greatest(${now}, synced_at + ${SYNC_GAP_MS} * interval '1 ms')),
        check_requests = check_requests + hint.asks_check::integer, new_accounts_hinted = new_accounts_hinted or hint.new_accounts,
        revoked_accounts = array(
          select unnest(i.revoked_accounts) union select json_array_elements_text(hint.revoked_accounts)),
        check_due_at = case when hint.asks_check then least(check_due_at, ${now}) else check_due_at end,
        disconnect_settled_at = ${settledAt},
        disconnects_at = case
          when hint.disconnects_at > coalesce(${settledAt}, '-infinity') then hint.disconnects_at
          when hint.repaired then null
          else i.disconnects_at end
      from free join hint using (fingerprint, environment)
      where i.user_id = free.user_id and i.link_id = free.link_id
      returning i.user_id, i.link_id
    )
    select fingerprint, environment, bool_or(written.link_id is null) as is_held
    from item left join written using (user_id, link_id)
    group by fingerprint, environment`
}
