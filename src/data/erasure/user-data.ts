/**
 * Every table that names a user, with what an erasure removes from it and whether it is part of the user's archive. A
 * test compares this with db/schema.sql, so that no table or column is forgotten.
 */
export type TableOfUsers = {
  /** The section of the archive, or the reason for omitting the table. */
  readonly archive: { readonly section: string } | { readonly omitted: string }
  /** The primary key. */
  readonly key: string
  /** Columns that stay. Keys, amounts, times, states, brand IDs and offer IDs identify nobody. */
  readonly kept: string
  /** Kept columns that are of no use to someone reading the archive. */
  readonly hidden?: string
  /** Set if all rows are deleted, with the reason. */
  readonly deleted?: string
  readonly changed?: Readonly<Record<string, Fate>>
  /** Set if other code changes these columns. The reasons name the function. */
  readonly isChangedElsewhere?: true
}

/** The effect of an erasure on a column. `sql` is always one of our constants. */
type Fate = { readonly to: 'null' | 'reference' | { readonly sql: string }; readonly why: string }

const nulled = (why: string): Fate => ({ to: 'null', why })
/** Replaces equal texts with equal references. */
const replaced = (why: string): Fate => ({ to: 'reference', why })
const constant = (sql: string, why: string): Fate => ({ to: { sql }, why })

const pair = (key: string, kept: string): TableOfUsers => ({
  archive: { omitted: 'which reports are of one purchase; the reports are in the archive' },
  key,
  kept,
})
const work = (key: string, kept: string): TableOfUsers => ({
  archive: { omitted: 'work that is waiting, and that holds only ids' },
  key,
  kept,
})
const verified = { omitted: 'a copy by which balances are verified' }

export const TABLES: Readonly<Record<string, TableOfUsers>> = {
  users: {
    archive: { section: 'user' },
    key: 'user_id',
    kept: 'user_id publisher_id version created_at updated_at',
    isChangedElsewhere: true,
    changed: {
      publisher_user_id: constant("'erased-'", 'the name of the user, for which the pseudonym stands (renameUser)'),
      email: nulled('the address of the user'),
      primary_zip_code: nulled('where the user lives'),
      attributes: nulled('whatever the publisher knows of the user'),
    },
  },
  accounts: {
    archive: { omitted: 'how the user signs in; the user is in the archive' },
    key: 'account_id',
    kept: 'account_id kind publisher_id user_id role email name password sealed_totp totp_since totp_step created_at verified_at disabled_at',
    deleted: 'who they are, and how they sign in',
  },
  sessions: {
    archive: { omitted: 'which browsers are signed in now' },
    key: 'session_id',
    kept: 'session_id kind account_id publisher_id user_id sha256 created_at last_used_at expires_at address user_agent is_embedded',
    deleted: 'nobody is signed in for an erased user',
  },
  user_sign_ups: {
    archive: { omitted: 'an address that is not yet proven' },
    key: 'user_id',
    kept: 'user_id publisher_id email code_hash expires_at',
    deleted: 'an erased user cannot sign in',
  },
  user_mail_preferences: {
    archive: { section: 'mail_wishes' },
    key: 'user_id kind',
    kept: 'user_id kind publisher_id language',
    deleted: 'an erased user gets no more mail',
  },
  user_mails: {
    archive: { omitted: 'mails waiting to be sent' },
    key: 'mail_id',
    kept: 'mail_id publisher_id user_id kind email language queued_at due_at attempts',
    deleted: 'an erased user gets no more mail',
  },
  portal_links: {
    archive: { omitted: 'links to the portal that are not used yet' },
    key: 'sha256',
    kept: 'sha256 publisher_id user_id return_path expires_at',
    deleted: 'nobody enters for an erased user',
  },
  terms_acceptances: {
    archive: { section: 'acceptances' },
    key: 'user_id document_id accepted_at',
    kept: 'user_id document_id accepted_at publisher_id',
  },
  marketing_choices: {
    archive: { section: 'marketing_choices' },
    key: 'user_id version',
    kept: 'user_id version publisher_id agreed language via chosen_at',
    changed: { wording: constant("'erased'", 'wording of the publisher, which may name the user') },
  },
  user_deactivations: {
    archive: { section: 'deactivations' },
    key: 'user_id deactivated_at',
    kept: 'user_id deactivated_at publisher_id reactivated_at',
  },
  links: {
    archive: { section: 'links' },
    key: 'user_id link_id',
    kept: 'user_id link_id publisher_id error linked_at unlinked_at reauthentication_deadline break_told_at observed_at new_accounts_available',
    changed: {
      institution_id: constant("'erased'", 'at which bank the user is'),
      institution_name: constant("'erased'", 'at which bank the user is'),
      left_out: constant("'{}'::text[]", 'accounts of the user'),
    },
  },
  cards: {
    archive: { section: 'cards' },
    key: 'user_id card_id',
    kept: 'user_id card_id publisher_id link_id subtype version linked_at unlinked_at taken_over',
    changed: {
      account_id: replaced("the provider's name of the account"),
      persistent_account_id: replaced("the provider's name of the account"),
      name: constant("'erased'", 'what the bank calls the account'),
      mask: nulled('digits of the number'),
    },
  },
  card_accounts: {
    archive: { section: 'card_accounts' },
    key: 'user_id card_id account_id',
    kept: 'user_id card_id publisher_id',
    changed: { account_id: replaced("the provider's name of the account") },
  },
  announced_duplicates: {
    archive: { omitted: 'announced once; the cards are in the archive' },
    key: 'user_id announced_duplicate_id',
    kept: 'user_id publisher_id subtype announced_on announced_duplicate_id',
    changed: {
      institution_id: replaced('at which bank the user is'),
      name: replaced('what the bank calls the account'),
      mask: replaced('digits of the number'),
    },
  },
  linker_items: {
    archive: { omitted: 'sealed tokens and when feeds are read; holds nothing that the user gave' },
    key: 'user_id link_id',
    kept:
      'user_id link_id publisher_id owner sealed_token item_fingerprint generation cursor sync_requests sync_due_at sync_lease ' +
      'sync_lease_until sync_failures synced_at check_requests check_due_at check_lease_until check_failures sync_asked ' +
      'sync_paced_until check_paced_until checked_at hinted_at heard_at last_updated_at consent_ends_at disconnects_at ' +
      'disconnect_settled_at fault fault_since new_accounts_hinted check_lease revoked_accounts',
    deleted: 'unlinking moves the token to item_removals (unlinkUser)',
  },
  item_removals: {
    archive: { omitted: 'sealed tokens that wait to be ended' },
    key: 'user_id removal_id',
    kept: 'user_id removal_id publisher_id link_id sealed_token item_fingerprint due_at lease_until failures owner lease',
    deleted: 'gone when the provider has ended the login, or after TOKENS_HOURS (isWaitingForProvider)',
  },
  hosted_links: {
    archive: { omitted: 'sealed tokens of links that were not finished' },
    key: 'user_id hosted_id',
    kept: 'user_id hosted_id publisher_id owner sealed_token token_fingerprint expires_at due_at failures lease lease_until',
    deleted: 'the user links no more',
  },
  public_tokens: {
    archive: { omitted: 'hashes of tokens that were used once' },
    key: 'user_id token_hash',
    kept: 'user_id token_hash publisher_id institution_id refused_accounts brought_at item_fingerprint is_free',
    deleted: 'they tell a repeat, and the user links no more',
  },
  transactions: {
    archive: { section: 'transactions' },
    key: 'user_id transaction_id',
    kept:
      'user_id transaction_id publisher_id source brand_uid match_method currency amount refunded authorized_at cleared_on ' +
      'status status_reason offer_uid offer_type reward_type terms gross user_amount publisher_amount fee_amount ' +
      'user_discount available_on matures_at earned_at adjusts version created_at updated_at lapses_at judged_in',
    changed: {
      external_id: replaced("the reporter's name of the purchase"),
      merchant_name: nulled('where the user bought, beyond the brand'),
      merchant_descriptor: nulled('where the user bought, beyond the brand'),
      order_id: replaced("the shop's order number"),
      account_id: replaced("the provider's name of the account"),
    },
  },
  source_events: {
    archive: { section: 'source_events' },
    key: 'user_id source external_id',
    kept: 'user_id event_id publisher_id source kind amount currency occurred_at received_at transaction_id',
    hidden: 'input_hash',
    isChangedElsewhere: true,
    changed: {
      external_id: replaced("the reporter's name of the event (eraseEvents)"),
      original_external_id: replaced("the reporter's name of the event (eraseEvents)"),
      input_hash: constant("'\\x00'::bytea", 'a hash of what was taken out (eraseEvents)'),
      facts: constant("'{}'::jsonb", 'merchant, place, card and order; line items and the brand stay (eraseEvents)'),
    },
  },
  source_claims: {
    archive: { omitted: 'the names of source events once more' },
    key: 'publisher_id source external_id',
    kept: 'publisher_id source user_id',
    isChangedElsewhere: true,
    changed: { external_id: replaced("the reporter's name of the event (eraseEvents)") },
  },
  decisions: {
    archive: { section: 'decisions' },
    key: 'user_id transaction_id version',
    kept: 'user_id transaction_id version publisher_id decided_at',
    changed: { trace: constant("'{}'::json", 'quotes the descriptor and the evidence of the match') },
  },
  feed_rows: {
    archive: { section: 'feed_rows' },
    key: 'user_id row_id',
    kept:
      'user_id publisher_id link_id generation card_id handed_as amount peak_amount currency bought_on occurred_at revision ' +
      'removed waits_until is_orphan',
    hidden: 'content_hash merchant_keys',
    changed: {
      row_id: replaced("the provider's name of the row"),
      external_id: replaced("the provider's name of the row"),
      refund_of: replaced("the provider's name of the row"),
      replaced_by: replaced("the provider's name of the row"),
      account_id: replaced("the provider's name of the account"),
      content_hash: constant("''::bytea", 'a hash of what the row said'),
      merchant_keys: constant("'{}'::text[]", 'where the user bought'),
    },
  },
  orphan_decisions: {
    archive: { omitted: 'what operators decided on a row of a feed; the row is in the archive' },
    key: 'user_id row_id',
    kept: 'user_id publisher_id transaction_id decided_by decided_at',
    changed: { row_id: replaced("the provider's name of the row"), reason: nulled('free text') },
  },
  withheld_rewards: {
    ...work('user_id row_id', 'user_id publisher_id transaction_id since'),
    changed: { row_id: replaced("the provider's name of the row") },
  },
  card_pairs: pair('user_id reported_id', 'user_id reported_id feed_id publisher_id stacked since'),
  further_card_pairs: pair('user_id feed_id', 'user_id feed_id reported_id publisher_id stacked since'),
  purchase_pairs: pair('user_id card_id', 'user_id card_id affiliate_id publisher_id policy stacked since'),
  sale_pairs: pair('user_id network_id', 'user_id network_id reported_id publisher_id stacked since'),
  refund_pairs: {
    ...pair('user_id reported_refund', 'user_id publisher_id since'),
    changed: {
      reported_refund: replaced("the reporter's name of the event"),
      feed_refund: replaced("the provider's name of the row"),
    },
  },
  open_refunds: work('user_id transaction_id', 'user_id transaction_id publisher_id since'),
  rematch_changes: {
    archive: { omitted: 'states of transactions that operators decided again: brands, offers, amounts' },
    key: 'rematch_id user_id transaction_id',
    kept: 'rematch_id publisher_id user_id transaction_id before after',
  },
  clicks: {
    archive: { section: 'clicks' },
    key: 'user_id click_id',
    kept: 'user_id click_id publisher_id offer_uid clicked_at',
  },
  sub_ids: {
    archive: { omitted: 'the random name that a network knows a click by; the clicks are in the archive' },
    key: 'sub_id',
    kept: 'sub_id user_id click_id publisher_id offer_uid network clicked_at is_sold',
  },
  postbacks: {
    archive: { section: 'reported_sales' },
    key: 'network content_sha256',
    kept:
      'network content_sha256 postback_id sub_id publisher_id user_id offer_uid status amount currency sold_at date_only ' +
      'received_at reported_at added added_status commission unmatched',
    hidden: 'content_sha256 commission added added_status',
    changed: {
      content: constant("'{}'::jsonb", 'whatever the network wrote'),
      order_id: replaced("the shop's order number"),
      transaction_id: replaced("the network's name of the sale"),
      report_id: replaced("the network's name of the report"),
    },
  },
  offer_activations: {
    archive: { section: 'activations' },
    key: 'user_id offer_uid activated_at',
    kept: 'user_id offer_uid activated_at publisher_id deactivated_at',
  },
  allowance_holds: {
    archive: { omitted: 'what offers still allow; follows from the transactions' },
    key: 'user_id transaction_id kind period',
    kept: 'user_id transaction_id publisher_id offer_uid kind period starts_on amount most_gross code_id',
  },
  voucher_codes: {
    archive: { section: 'voucher_codes' },
    key: 'code_id',
    kept: 'code_id offer_uid environment fingerprint expires_on imported_at publisher_id user_id handed_out_at',
    hidden: 'fingerprint sealed_code imported_at environment',
    changed: {
      sealed_code: constant("''::bytea", 'what the user was given; the keyed hash keeps it from being given again'),
    },
  },
  gift_card_orders: {
    archive: { section: 'gift_card_orders' },
    key: 'user_id order_id',
    kept: 'user_id order_id publisher_id offer_uid currency total status redemption_id reason_code version created_at updated_at',
    changed: {
      external_ref: replaced("the publisher's name of the order"),
      supplier_order_id: replaced("the supplier's name of the order"),
      reason_text: nulled('free text of the supplier'),
    },
  },
  gift_cards: {
    archive: { section: 'gift_cards' },
    key: 'user_id card_id',
    kept: 'user_id card_id publisher_id order_id ordinal denomination status transaction_id expires_on revealed_at',
    hidden: 'sealed_details supplier_card_id may_reveal',
    changed: {
      supplier_card_id: replaced("the supplier's name of the card"),
      mask: nulled('digits of the card'),
      sealed_details: nulled('number and code of the card'),
      may_reveal: constant('false', 'there is nothing to show any more'),
    },
  },
  gift_card_queue: work('item_id', 'item_id kind user_id publisher_id attempts due_at queued_at ended_at'),
  redemptions: {
    archive: { section: 'redemptions' },
    key: 'user_id redemption_id',
    kept:
      'user_id redemption_id publisher_id method destination_id currency amount status approvals_needed reason_code file_id ' +
      'version created_at updated_at offer_uid',
    changed: {
      external_ref: replaced("the publisher's name of the request"),
      reason: nulled('may say that the account of the user is wrong'),
      reason_text: nulled('free text'),
      payout_reference: replaced("the payer's name of the payment"),
    },
  },
  redemption_steps: {
    archive: { section: 'redemption_steps' },
    key: 'user_id redemption_id version',
    kept: 'user_id redemption_id version publisher_id status actor at',
    hidden: 'actor',
  },
  redemption_approvals: {
    archive: { omitted: 'which operators approved; the steps are in the archive' },
    key: 'user_id redemption_id approver',
    kept: 'user_id redemption_id approver publisher_id at',
  },
  payout_destinations: {
    archive: { section: 'destinations' },
    key: 'user_id destination_id',
    kept: 'user_id destination_id publisher_id kind usable_from created_at',
    hidden: 'fingerprint sealed_details',
    changed: {
      mask: constant("'erased'", 'digits of the account, or a part of the address'),
      fingerprint: constant("''::bytea", 'a hash of the account'),
      sealed_details: nulled('the account'),
      removed_at: constant('coalesce(removed_at, created_at)', 'nobody is paid there any more'),
    },
  },
  payout_queue: work('redemption_id', 'redemption_id user_id publisher_id attempts due_at queued_at'),
  contradictions: {
    archive: { omitted: 'reports of others that were not believed, until a person has looked at them' },
    key: 'user_id contradiction_id',
    kept:
      'user_id contradiction_id publisher_id subject known reported reported_by code recorded_at acknowledged_at ' +
      'acknowledged_by',
    changed: {
      text: nulled('free text'),
      reference: nulled("the payer's or the supplier's own reference for the payment or order"),
      note: nulled('free text'),
    },
  },
  adjustments: {
    archive: { section: 'adjustments' },
    key: 'user_id adjustment_id',
    kept: 'user_id adjustment_id publisher_id kind paid_by currency amount status proposed_by decided_by created_at decided_at',
    hidden: 'proposed_by decided_by',
    changed: {
      external_ref: replaced("the operators' name of the request"),
      reason: constant("'erased'", 'free text'),
    },
  },
  claims: {
    archive: { section: 'claims' },
    key: 'user_id claim_id',
    kept:
      'user_id claim_id publisher_id kind opened_by transaction_id brand_uid offer_uid purchase_date amount currency status ' +
      'reason adjustment_id granted_transaction_id granted_event_is_new decided_by deadline version created_at ' +
      'updated_at decided_at',
    hidden: 'input_hash decided_by',
    changed: {
      external_ref: replaced("the publisher's name of the claim"),
      input_hash: constant("''::bytea", 'a hash of what was claimed'),
      order_id: replaced("the shop's order number"),
      merchant: nulled('where the user bought'),
      reason_text: nulled('free text'),
    },
  },
  claim_notes: {
    archive: { section: 'claim_notes' },
    key: 'user_id note_id',
    kept: 'user_id note_id claim_id publisher_id author at',
    hidden: 'author',
    changed: { text: constant("'erased'", 'free text') },
  },
  journals: {
    archive: { section: 'statement_lines' },
    key: 'user_id cause_id kind cause_version',
    kept: 'user_id journal_id publisher_id kind cause_id cause_version effective_at created_at currency accounts owners amounts',
    hidden: 'owners',
  },
  user_balances: {
    archive: { section: 'balances' },
    key: 'user_id currency',
    kept: 'user_id currency publisher_id pending available held debt earned_total redeemed_total',
  },
  verified_balances: {
    archive: verified,
    key: 'user_id currency',
    kept: 'user_id currency pending available held debt earned_total redeemed_total digest',
  },
  unverified_journals: { archive: verified, key: 'ordinal', kept: 'user_id cause_id kind cause_version ordinal' },
  events: {
    archive: { omitted: 'announcements of what the other sections say; the feed has them' },
    key: 'user_id event_id',
    kept: 'user_id event_id publisher_id type created_at',
    isChangedElsewhere: true,
    changed: {
      stored_data: constant(
        "'{}'::json",
        'a copy of what was announced; the id of the user stays (eraseAnnouncements)',
      ),
      previous: nulled('a copy of what was there before (eraseAnnouncements)'),
    },
  },
  event_feed: work('publisher_id sequence', 'publisher_id sequence user_id event_id type'),
  event_queue: work('ordinal', 'ordinal publisher_id user_id event_id type endpoint_id'),
  webhook_deliveries: {
    archive: { omitted: 'when an announcement was sent, and what the publisher answered' },
    key: 'publisher_id delivery_id',
    kept:
      'publisher_id delivery_id position endpoint_id user_id event_id type sequence status attempts created_at ' +
      'last_attempt_at next_attempt_at response_status exhausted_position planned_at extra_attempts latency_ms',
    changed: {
      error: nulled('may quote the answer'),
      answer: nulled('what the publisher answered'),
      earlier_attempts: nulled('what the publisher answered'),
    },
  },
  webhook_queues: work('endpoint_id user_id', 'endpoint_id user_id publisher_id position due_at claim_id leased_until'),
  erasures: {
    archive: { omitted: 'a user who was erased has no archive' },
    key: 'user_id',
    kept: 'user_id erasure_id publisher_id pseudonym requested_at requested_by recorded_at due_at salt counts done_at sha256',
  },
}

export const namesIn = (list: string): string[] => list.split(' ').filter((name) => name !== '')
