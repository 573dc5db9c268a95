import type { Channel, Offer, OfferType } from '../catalog/index.ts'
import type { Day } from '../platform/calendar.ts'
import { decimalText } from '../platform/money.ts'
import type { BoughtItem } from './goods.ts'
import { type LimitFacts, limitRules } from './limits.ts'
import { customerRules } from './rules-customers.ts'
import { groupRules } from './rules-goods.ts'
import { timeRules } from './rules-times.ts'
import { judgeStore, type PlaceFacts } from './stores.ts'

/** A purchase as it is judged. Amounts are minor units of its currency. */
export type Purchase = {
  readonly source: 'CARD' | 'AFFILIATE' | 'GIFT_CARD' | 'VOUCHER' | 'OTHER'
  readonly amount: bigint
  readonly currency: string
  /** The currency of the publisher's ledger; no reward is owed in another. */
  readonly ledgerCurrency: string
  /** When it was authorized, and that day in the publisher's time zone. */
  readonly at: Date
  readonly day: Day
  readonly timeZone: string
  /** Only the day is known. */
  readonly dateOnly: boolean
  readonly offerUid: string | null
  readonly voucherCode: string | null
  readonly place: PlaceFacts
  /** Null: not reported. */
  readonly channel: Channel | null
  /** The line items that the source knows; in sum at most the amount. */
  readonly items: readonly BoughtItem[]
}

/** The user's situation at the time of a purchase. */
export type Circumstances = {
  readonly standing: 'ACTIVE' | 'INACTIVE' | 'PENDING'
  readonly card: 'linked' | 'not_linked' | 'linked_later'
  /** Another purchase holds the one use of this offer. */
  readonly used: boolean
  /** The user's last purchase at the brand before this one. */
  readonly previousPurchaseAt: Date | null
  /** `noLimitFacts` for an offer without allowances. */
  readonly limits: LimitFacts
}

/** The reasons of failed rules. `rewards` adds those of purchases. */
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
type RuleReason = (typeof RULE_REASONS)[number]

/** A rule in the trace: the value found and the bound it is compared with. */
export type RuleLine = {
  readonly rule: string
  readonly value: string | null
  readonly bound: string | null
  readonly passed: boolean
}
export type Verdict = {
  readonly offer: Offer
  readonly eligible: boolean
  /** The reason of the first failed rule. */
  readonly reason: RuleReason | null
  readonly failures: number
  readonly rules: readonly RuleLine[]
}

export type Judged = RuleLine & { readonly reason: RuleReason }

// The offer type that rewards each source. A voucher code counts with any source.
const TYPE_OF_SOURCE: Readonly<Record<Purchase['source'], OfferType | null>> = {
  CARD: 'CARD_LINKED',
  AFFILIATE: 'AFFILIATE',
  GIFT_CARD: 'GIFT_CARD',
  VOUCHER: 'VOUCHER_CODE',
  OTHER: null,
}

/** Judges a purchase by an offer. Judges all rules, so that the trace shows every failed one. */
export function judge(offer: Offer, purchase: Purchase, circumstances: Circumstances): Verdict {
  const judged = [
    ...userRules(offer, purchase, circumstances),
    currencyRule(offer, purchase),
    ...timeRules(offer, purchase),
    ...spendRules(offer, purchase),
    ...customerRules(offer, purchase, circumstances),
    ...limitRules(offer, circumstances),
    ...evidenceRules(offer, purchase),
    ...groupRules(offer, purchase, circumstances),
  ]
  const failed = judged.filter((line) => !line.passed)
  return {
    offer,
    eligible: failed.length === 0,
    reason: failed[0]?.reason ?? null,
    failures: failed.length,
    rules: judged.map(({ rule, value, bound, passed }) => ({ rule, value, bound, passed })),
  }
}

function userRules(offer: Offer, purchase: Purchase, { standing, card, limits }: Circumstances): Judged[] {
  const rules: Judged[] = [
    {
      rule: 'user_active',
      value: standing,
      bound: 'ACTIVE',
      passed: standing === 'ACTIVE',
      reason: standing === 'INACTIVE' ? 'user_inactive' : 'terms_not_accepted',
    },
  ]
  const withCode = offer.offerType === 'VOUCHER_CODE' && (purchase.voucherCode !== null || limits.code !== 'none')
  const named = purchase.source === 'OTHER' && purchase.offerUid === offer.offerUid
  const fits = TYPE_OF_SOURCE[purchase.source] === offer.offerType || withCode || named
  rules.push({
    rule: 'source',
    value: purchase.source,
    bound: offer.offerType,
    passed: fits,
    reason: 'source_not_eligible',
  })
  if (offer.offerType === 'CARD_LINKED' && purchase.source === 'CARD') {
    rules.push({
      rule: 'card_linked',
      value: card,
      bound: 'linked',
      passed: card === 'linked',
      reason: card === 'linked_later' ? 'before_card_linked' : 'card_not_linked',
    })
  }
  return rules
}

function currencyRule(offer: Offer, purchase: Purchase): Judged {
  return {
    rule: 'currency',
    value: purchase.currency,
    bound: offer.currency,
    passed: purchase.currency === offer.currency && offer.currency === purchase.ledgerCurrency,
    reason: 'currency_mismatch',
  }
}

function spendRules({ minSpend, currency }: Offer, purchase: Purchase): Judged[] {
  if (minSpend === null) return []
  return [
    {
      rule: 'min_spend',
      value: decimalText(purchase.amount, purchase.currency),
      bound: decimalText(minSpend, currency),
      passed: purchase.amount >= minSpend,
      reason: 'below_min_spend',
    },
  ]
}

/** Evidence of the purchase: voucher code, gift card value, channel, store. */
function evidenceRules(offer: Offer, purchase: Purchase): Judged[] {
  const rules: Judged[] = []
  if (offer.offerType === 'VOUCHER_CODE' && offer.voucherCode !== null) {
    const given = purchase.voucherCode?.trim().toUpperCase() ?? null
    rules.push({
      rule: 'voucher_code',
      value: given,
      bound: offer.voucherCode,
      passed: given === offer.voucherCode.trim().toUpperCase(),
      reason: 'voucher_code_mismatch',
    })
  }
  if (offer.offerType === 'GIFT_CARD' && offer.denominations.length > 0) {
    rules.push({
      rule: 'denomination',
      value: decimalText(purchase.amount, purchase.currency),
      bound: offer.denominations.map((one) => decimalText(one, offer.currency)).join(', '),
      passed: offer.denominations.includes(purchase.amount),
      reason: 'denomination_mismatch',
    })
  }
  if (offer.channels !== null) {
    rules.push({
      rule: 'channel',
      value: purchase.channel,
      bound: offer.channels.join(', '),
      passed: purchase.channel === null || offer.channels.includes(purchase.channel),
      reason: 'channel_not_eligible',
    })
  }
  const store = judgeStore(offer, purchase.place)
  if (store !== null) rules.push(store)
  return rules
}
