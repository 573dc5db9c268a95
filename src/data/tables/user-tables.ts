/** Exceptions for a table that otherwise moves unchanged with its publisher to another installation. */
export type Move = {
  /** The reason why the rows do not move. */
  readonly stays?: string
  /** Columns that differ between installations: the import sets them, and comparisons ignore them. */
  readonly anew?: string
}

/**
 * A table with a user_id. Every column name must be in one of these lists, unless registry.ts lists it as identifying
 * nobody in any table.
 */
export type UserRow = Move & {
  /** Columns that an erasure sets to null. */
  readonly nulled?: string
  /** Columns whose text an erasure replaces with references. Equal text gets the same reference. */
  readonly replaced?: string
  /** Columns that an erasure sets to an SQL expression. */
  readonly set?: Readonly<Record<string, string>>
  /** Other columns, which an erasure keeps because they identify nobody. */
  readonly kept?: string
  /** Columns of no use to someone reading the archive. An erasure keeps them unless they are also in another list. */
  readonly hidden?: string
  /** The reason why an erasure deletes the user's rows. */
  readonly deleted?: string
  /** The function that erases these columns, unless eraseRows does. */
  readonly erasedBy?: string
} & (
    | {
        /** The section of the user's archive. */
        readonly section: string
      }
    | {
        /** The reason why the archive omits the table. */
        readonly omitted: string
      }
  )

const PAIR = { omitted: 'pairs of reports about one purchase; the reports are in the archive' }
const WORK = { omitted: 'pending work that holds only IDs' }
const VERIFIED = { omitted: 'a copy for verifying balances', stays: 'verification adds up all journals again' }

/** Tables with a user_id, in the order of the archive's sections. */
export const USER_TABLES: Readonly<Record<string, UserRow>> = {
  users: {
    section: 'user',
    erasedBy: 'renameUser',
    nulled: 'email primary_zip_code attributes',
    set: { publisher_user_id: "'erased-'" },
  },
  accounts: {
    omitted: 'how the user signs in; the user is in the archive',
    deleted: 'who the users are, and how they sign in',
    stays: 'staff are invited again and users open new accounts in the other installation',
  },
  sessions: {
    omitted: 'browsers that are signed in now',
    deleted: 'nobody signs in as an erased user',
    stays: 'sessions of browsers with this installation',
  },
  user_sign_ups: {
    omitted: 'an address that is not yet verified',
    deleted: 'an erased user cannot sign in',
    stays: 'users open new accounts in the other installation',
  },
  user_mail_preferences: {
    section: 'mail_wishes',
    kept: 'language',
    deleted: 'an erased user gets no more mail',
    stays: 'preferences of accounts here',
  },
  user_mails: {
    omitted: 'mail waiting to be sent',
    deleted: 'an erased user gets no more mail',
    stays: 'sent from here',
  },
  portal_links: {
    omitted: 'unused links to the portal',
    deleted: 'nobody signs in as an erased user',
    stays: 'links to this installation',
  },
  terms_acceptances: { section: 'acceptances', anew: 'document_id' },
  marketing_choices: {
    section: 'marketing_choices',
    kept: 'language',
    // The publisher wrote this text and may have included the user's name.
    set: { wording: "'erased'" },
  },
  user_deactivations: { section: 'deactivations' },
  links: {
    section: 'links',
    set: { institution_id: "'erased'", institution_name: "'erased'", left_out: "'{}'::text[]" },
  },
  cards: {
    section: 'cards',
    kept: 'subtype',
    replaced: 'account_id persistent_account_id',
    nulled: 'mask',
    set: { name: "'erased'" },
  },
  card_accounts: { section: 'card_accounts', replaced: 'account_id' },
  announced_duplicates: {
    omitted: 'announced once; the cards are in the archive',
    kept: 'subtype announced_on',
    replaced: 'institution_id name mask',
  },
  linker_items: {
    omitted: 'sealed tokens and feed schedules; nothing that the user provided',
    deleted: 'unlinking moves the token to item_removals (unlinkUser)',
  },
  item_removals: {
    omitted: 'sealed tokens waiting to be revoked',
    deleted: 'deleted when the provider has ended the login, or after TOKENS_HOURS (isWaitingForProvider)',
  },
  hosted_links: {
    omitted: 'sealed tokens of unfinished links',
    deleted: 'an erased user links no more cards',
  },
  public_tokens: {
    omitted: 'hashes of used tokens',
    deleted: 'they detect repeats, and an erased user links no more cards',
  },
  transactions: {
    section: 'transactions',
    anew: 'judged_in',
    kept: 'match_method cleared_on status_reason offer_type reward_type terms available_on',
    replaced: 'external_id order_id account_id',
    nulled: 'merchant_name merchant_descriptor',
  },
  source_events: {
    section: 'source_events',
    erasedBy: 'eraseEvents',
    replaced: 'external_id original_external_id',
    // Facts that identify nobody, such as line items and the brand, are kept.
    set: { input_hash: "'\\x00'::bytea", facts: "'{}'::jsonb" },
  },
  source_claims: {
    omitted: 'duplicates the IDs of source events',
    erasedBy: 'eraseEvents',
    replaced: 'external_id',
  },
  decisions: {
    section: 'decisions',
    // Quotes the descriptor and the evidence of the match.
    set: { trace: "'{}'::json" },
  },
  feed_rows: {
    section: 'feed_rows',
    kept: 'bought_on',
    hidden: 'merchant_keys',
    replaced: 'row_id external_id refund_of replaced_by account_id',
    set: { content_hash: "''::bytea", merchant_keys: "'{}'::text[]" },
  },
  orphan_decisions: {
    omitted: "operators' decisions on feed rows; the rows are in the archive",
    kept: 'decided_by',
    replaced: 'row_id',
    nulled: 'reason',
  },
  withheld_rewards: { ...WORK, replaced: 'row_id' },
  card_pairs: PAIR,
  further_card_pairs: PAIR,
  purchase_pairs: PAIR,
  sale_pairs: PAIR,
  refund_pairs: { ...PAIR, replaced: 'reported_refund feed_refund' },
  open_refunds: WORK,
  rematch_changes: {
    omitted: 'transactions before and after a re-match: brands, offers and amounts',
    kept: 'before after',
  },
  clicks: { section: 'clicks' },
  sub_ids: {
    omitted: "a network's random ID of a click; the clicks are in the archive",
    kept: 'sub_id network',
  },
  postbacks: {
    section: 'reported_sales',
    kept: 'content_sha256 sub_id unmatched',
    hidden: 'commission added added_status',
    replaced: 'order_id transaction_id report_id',
    set: { content: "'{}'::jsonb" },
  },
  offer_activations: { section: 'activations' },
  allowance_holds: { omitted: 'what offers still allow; follows from the transactions', kept: 'starts_on' },
  voucher_codes: {
    section: 'voucher_codes',
    kept: 'fingerprint expires_on',
    hidden: 'imported_at environment',
    // The fingerprint prevents the code from being handed out again.
    set: { sealed_code: "''::bytea" },
  },
  gift_card_orders: {
    section: 'gift_card_orders',
    kept: 'reason_code',
    replaced: 'external_ref supplier_order_id',
    nulled: 'reason_text',
  },
  gift_cards: {
    section: 'gift_cards',
    kept: 'expires_on',
    hidden: 'supplier_card_id may_reveal',
    replaced: 'supplier_card_id',
    nulled: 'mask sealed_details',
    set: { may_reveal: 'false' },
  },
  gift_card_queue: WORK,
  redemptions: {
    section: 'redemptions',
    kept: 'reason_code',
    replaced: 'external_ref payout_reference',
    // The reason may reveal that the user's account is wrong.
    nulled: 'reason reason_text',
  },
  redemption_steps: { section: 'redemption_steps', hidden: 'actor' },
  redemption_approvals: { omitted: 'which operators approved; the steps are in the archive', kept: 'approver' },
  payout_destinations: {
    section: 'destinations',
    nulled: 'sealed_details',
    set: { mask: "'erased'", fingerprint: "''::bytea", removed_at: 'coalesce(removed_at, created_at)' },
  },
  payout_queue: WORK,
  contradictions: {
    omitted: 'reports that contradict ours, until someone acknowledges them',
    kept: 'subject known reported reported_by code acknowledged_by',
    nulled: 'text reference note',
  },
  adjustments: {
    section: 'adjustments',
    hidden: 'proposed_by decided_by',
    replaced: 'external_ref',
    set: { reason: "'erased'" },
  },
  claims: {
    section: 'claims',
    kept: 'purchase_date reason',
    hidden: 'decided_by',
    replaced: 'external_ref order_id',
    nulled: 'merchant reason_text',
    set: { input_hash: "''::bytea" },
  },
  claim_notes: { section: 'claim_notes', hidden: 'author', set: { text: "'erased'" } },
  journals: { section: 'statement_lines', kept: 'accounts amounts', hidden: 'owners' },
  user_balances: { section: 'balances' },
  verified_balances: VERIFIED,
  unverified_journals: VERIFIED,
  events: {
    omitted: 'announce what the other sections contain; the feed has them',
    erasedBy: 'eraseAnnouncements',
    nulled: 'previous',
    // The user's ID is kept.
    set: { stored_data: "'{}'::json" },
  },
  event_feed: WORK,
  event_queue: WORK,
  webhook_deliveries: {
    omitted: "when announcements were sent, and the publisher's responses",
    anew: 'exhausted_position',
    // The error may quote the receiver's response.
    nulled: 'error answer earlier_attempts',
  },
  webhook_queues: { ...WORK, stays: 'rebuilt from the pending deliveries' },
  erasures: { omitted: 'an erased user has no archive', kept: 'pseudonym requested_by salt counts sha256' },
}
