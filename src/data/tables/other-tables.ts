import type { Move } from './user-tables.ts'

/** A table that has no `user_id`. */
export type OtherRow = Move & {
  /** Describes how an erasure removes personal data from these rows, if they have any. */
  readonly personal?: string
}

const DELETED_WITH_ACCOUNT = "deleted with the user's account"
const REBUILT = 'recomputed from the journals'
const BUDGET = "advertisers' budgets with this operating company"
const COUNTER = 'a counter'
const INSTITUTION = 'fetched again from the provider'
const PROGRESS = 'progress of this installation'
const SECRET = 'secrets of this installation'
const SIGN_IN = 'for signing in here'

/**
 * Tables that belong to publishers: all those with a publisher_id, and two that matchesPublisher assigns to publishers.
 */
export const PUBLISHER_TABLES: Readonly<Record<string, OtherRow>> = {
  allowed_android_packages: {},
  allowed_redirect_uris: {},
  api_keys: {},
  assortment_entries: {},
  closings: {},
  event_sequences: {},
  facts: {
    personal: 'failed ones that refer to the user are deleted (deleteFacts); others are processed within seconds',
  },
  feed_epochs: {},
  handed_over_items: {},
  idempotency_keys: { personal: 'answers are sealed, and deleted after a day (retainedAnswers)' },
  ledger_days: { stays: REBUILT },
  ledger_deltas: {},
  ledger_rollups: {},
  ledger_totals: { stays: REBUILT },
  list_count_deltas: {},
  list_counts: {},
  match_aliases: { anew: 'publisher_id revoked_at revoked_by' },
  merchant_sightings: { personal: "those of the user's purchases are deleted (deleteSightings)" },
  payment_journals: {},
  payments: {},
  payout_cursors: { stays: "positions in a bank's events; the other installation has another bank" },
  payout_files: {},
  portals: { stays: 'addresses of this installation, which may be taken in the other' },
  postback_answers: {
    personal: "operators' decisions on the user's sales: IDs are replaced, the reason is deleted (eraseAnswers)",
  },
  provider_accounts: {},
  publisher_currencies: {},
  publishers: { anew: 'moves_at imported_at' },
  rematches: {},
  report_orders: {},
  report_schedules: {},
  review_items: {
    personal: "loses samples from the user's purchases, and its text if there are no others (eraseReviews)",
  },
  statements: {},
  terms_documents: { anew: 'publisher_id revision' },
  terms_rollouts: { anew: 'document_id' },
  verified_rollups: { stays: 'verification adds up all journals again' },
  webhook_endpoints: {},
}

/**
 * Tables shared by all publishers of an installation. The rows that a publisher's rows reference move with the
 * publisher and are inserted if missing. Existing rows stay unchanged.
 */
export const SHARED_TABLES: Readonly<Record<string, OtherRow>> = {
  brands: {},
  categories: {},
  networks: {},
  offer_versions: {},
  offers: {},
  stores: {},
}

/** Tables of the service itself, none of which move. */
export const SERVICE_TABLES: Readonly<Record<string, OtherRow & { readonly stays: string }>> = {
  account_tokens: { stays: SIGN_IN, personal: DELETED_WITH_ACCOUNT },
  alias_version: { stays: COUNTER },
  assortment_version: { stays: COUNTER },
  audit_log: {
    stays: 'actions of people in this operating company',
    personal:
      "entries about the user's records lose reasons and names (eraseAudit), those about changes for the publisher lose " +
      'both states (eraseAuditedChanges)',
  },
  backup_codes: { stays: SIGN_IN, personal: DELETED_WITH_ACCOUNT },
  budget_warnings: { stays: BUDGET },
  catalog_version: { stays: COUNTER },
  former_offers: { stays: 'former versions of this catalog; purchases decided by them have frozen terms' },
  installation: { stays: SECRET },
  institutions: { stays: INSTITUTION },
  key_holders: { stays: 'processes of this installation' },
  ledger_added_up: { stays: PROGRESS },
  ledger_cut: { stays: 'the latest cut of this installation' },
  ledger_verification: { stays: PROGRESS },
  mails: { stays: 'sent from here', personal: 'sent only to staff' },
  master_keys: { stays: SECRET },
  network_reports: { stays: "how this operating company fetches a network's reports" },
  offer_budget_slots: { stays: BUDGET },
  offer_budgets: { stays: BUDGET },
  operator_answers: {
    stays: 'answers to people of this operating company',
    personal: 'deleted after a day (retainedOperatorAnswers)',
  },
  operators: { stays: 'people of this operating company', personal: 'holds only staff' },
  passkey_challenges: { stays: SIGN_IN, personal: DELETED_WITH_ACCOUNT },
  passkeys: { stays: SIGN_IN, personal: DELETED_WITH_ACCOUNT },
  payout_payer: { stays: 'the bank account of this operating company' },
  programs: { stays: "this operating company's agreements with networks" },
  provider_institutions: { stays: INSTITUTION },
  provider_pacing: { stays: "the pace of this installation's calls" },
  report_imports: { stays: PROGRESS },
  schema_migrations: { stays: 'must be the same in the other installation, or the import is refused' },
  sign_in_attempts: { stays: SIGN_IN },
}
