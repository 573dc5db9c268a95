import type postgres from 'postgres'

/**
 * The service's account may read and add rows, change rows outside the append-only tables, and delete only from the
 * tables listed below. It has neither DDL nor TRUNCATE rights and cannot disable the triggers that enforce the same
 * rules on the owner.
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
// Columns of append-only tables that may still change: a source event's transaction, if two transactions turn out to be
// one purchase, and anything that identifies an erased user. Triggers reject any other change to these columns.
const MAY_CHANGE = {
  source_events: ['transaction_id', 'external_id', 'original_external_id', 'input_hash', 'facts'],
  postbacks: ['content', 'order_id', 'transaction_id', 'report_id'],
  audit_log: ['before', 'after'],
  claim_notes: ['text'],
  marketing_choices: ['wording'],
} as const

/** Tables from which the worker deletes old rows (retention.ts). Money must not depend on these rows. */
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

/**
 * Tables that hold only current, pending or permitted records. Their rooms delete a row once it no longer applies,
 * regardless of its age.
 */
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

/** Grants the account exactly the privileges that the service needs on the existing tables. Idempotent. */
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
