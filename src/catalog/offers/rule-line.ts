/** The reasons a rule can fail. `rewards` adds the reasons that concern purchases. */
export const RULE_REASONS = [
  'user_inactive',
  'terms_not_accepted',
  'source_not_eligible',
  'card_not_linked',
  'before_card_linked',
  'offer_not_started',
  'offer_ended',
  'outside_days',
  'outside_hours',
  'currency_mismatch',
  'below_min_spend',
  'offer_already_used',
  'not_activated',
  'user_limit_reached',
  'budget_exhausted',
  'voucher_code_used',
  'not_a_new_customer',
  'not_a_lapsed_customer',
  'voucher_code_mismatch',
  'denomination_mismatch',
  'channel_not_eligible',
  'location_unconfirmed',
  'store_not_participating',
  'no_commission_group',
] as const
export type RuleReason = (typeof RULE_REASONS)[number]

/** A rule as displayed in the trace: the value found and the bound it was compared with. */
export type RuleLine = {
  readonly rule: string
  readonly value: string | null
  readonly bound: string | null
  readonly passed: boolean
}

export type Judged = RuleLine & { readonly reason: RuleReason }

/** A rule as a table row with its failure reason; false if the offer has no such rule. */
export type RuleRow =
  | readonly [rule: string, value: string | null, bound: string, passed: boolean, reason: RuleReason]
  | false

export const toJudged = (rows: readonly RuleRow[]): Judged[] =>
  rows
    .filter((row) => row !== false)
    .map(([rule, value, bound, passed, reason]) => ({ rule, value, bound, passed, reason }))
