import type postgres from 'postgres'

/**
 * What the service's own account may do: read and add rows, change those that are not append-only, and delete from the
 * tables below alone. It has no DDL and no TRUNCATE, and cannot disable the triggers that refuse the same to the owner.
 */
const APPEND_ONLY = [
  'closings',
  'journals',
  'payment_journals',
  'payments',
  'source_events',
  'postbacks',
  'audit_log',
  'claim_notes',
  'marketing_choices',
  'redemption_approvals',
  'redemption_steps',
  'statements',
  'schema_migrations',
] as const
// What may change all the same. Which transaction a source event belongs to, when two turn out to be one purchase. And
// what identifies a user who was erased; triggers refuse any other change of these columns.
const MAY_CHANGE = {
  source_events: ['transaction_id', 'external_id', 'original_external_id', 'input_hash', 'facts'],
  postbacks: ['content', 'order_id', 'transaction_id', 'report_id'],
  audit_log: ['before', 'after'],
  claim_notes: ['text'],
  marketing_choices: ['wording'],
} as const

/** What the worker drops by age (retention.ts). Nothing that money depends on is, or could be, among it. */
const RETAINED = [
  'clicks',
  'event_feed',
  'events',
  'idempotency_keys',
  'operator_answers',
  'sessions',
  'sub_ids',
  'webhook_deliveries',
] as const

/** What holds only what is present, waiting or allowed now: its rooms delete a row when that ends, whatever its age. */
const PRESENT = [
  'account_tokens',
  'accounts',
  'allowance_holds',
  'allowed_android_packages',
  'allowed_redirect_uris',
  'backup_codes',
  'card_pairs',
  'event_queue',
  'facts',
  'further_card_pairs',
  'gift_card_queue',
  'hosted_links',
  'item_removals',
  'key_holders',
  'ledger_deltas',
  'linker_items',
  'list_count_deltas',
  'mails',
  'master_keys',
  'merchant_sightings',
  'network_reports',
  'open_refunds',
  'passkey_challenges',
  'passkeys',
  'payout_queue',
  'portal_links',
  'provider_accounts',
  'public_tokens',
  'purchase_pairs',
  'refund_pairs',
  'report_imports',
  'report_schedules',
  'sale_pairs',
  'sign_in_attempts',
  'stores',
  'terms_rollouts',
  'unverified_journals',
  'user_mail_preferences',
  'user_mails',
  'user_sign_ups',
  'webhook_endpoints',
  'webhook_queues',
  'withheld_rewards',
] as const

/** Gives the account what the service needs on the tables that exist, and nothing more. Safe to repeat. */
export async function grantService(owner: postgres.Sql, account: string): Promise<void> {
  const role = owner(account)
  await owner.begin(async (tx) => {
    await tx`revoke create on schema public from public`
    await tx`grant usage on schema public to ${role}`
    await tx`revoke all on all tables in schema public from ${role}`
    await tx`grant select, insert, update on all tables in schema public to ${role}`
    await tx`grant delete on ${tx([...RETAINED, ...PRESENT])} to ${role}`
    await tx`grant usage on all sequences in schema public to ${role}`
    await tx`revoke update, delete on ${tx(APPEND_ONLY)} from ${role}`
    await tx`revoke insert on schema_migrations from ${role}`
    for (const [table, columns] of Object.entries(MAY_CHANGE))
      await tx`grant update (${tx(columns)}) on ${tx(table)} to ${role}`
  })
}
