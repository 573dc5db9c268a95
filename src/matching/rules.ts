import type { Offer, OfferType } from '../catalog/index.ts'
import type { Day } from '../platform/calendar.ts'
import { decimalText } from '../platform/money.ts'
import { judgeStore, type PlaceFacts } from './stores.ts'

/** What is judged: a purchase as it is known, and the circumstances of its user at that moment. */
export type Purchase = {
  readonly source: 'CARD' | 'AFFILIATE' | 'GIFT_CARD' | 'VOUCHER' | 'OTHER'
  readonly amount: bigint
  readonly currency: string
  /** The currency in which the publisher's ledger is kept; no reward is owed in another. */
  readonly ledgerCurrency: string
  /** When it was authorized, and the calendar day of that in the publisher's time zone. */
  readonly at: Date
  readonly day: Day
  readonly offerUid: string | null
  readonly voucherCode: string | null
  readonly place: PlaceFacts
}

export type Circumstances = {
  readonly standing: 'ACTIVE' | 'INACTIVE' | 'PENDING'
  readonly card: 'linked' | 'not_linked' | 'linked_later'
  /** Whether the one use of this offer is taken by another purchase. */
  readonly used: boolean
  /** The latest purchase of this user with this brand before this one. */
  readonly previousPurchaseAt: Date | null
}

/** Why a rule was not passed: part of the closed list of status reasons. */
export type RuleReason =
  | 'user_inactive'
  | 'terms_not_accepted'
  | 'source_not_eligible'
  | 'card_not_linked'
  | 'before_card_linked'
  | 'offer_not_started'
  | 'offer_ended'
  | 'currency_mismatch'
  | 'below_min_spend'
  | 'offer_already_used'
  | 'not_a_new_customer'
  | 'voucher_code_mismatch'
  | 'denomination_mismatch'
  | 'location_unconfirmed'
  | 'store_not_participating'
  | 'no_commission_group'

/** One line of the trace: what was looked at, what it was, what it had to be. */
export type RuleLine = {
  readonly rule: string
  readonly value: string | null
  readonly bound: string | null
  readonly passed: boolean
}
export type Verdict = {
  readonly offer: Offer
  readonly eligible: boolean
  /** The reason of the first rule that was not passed. */
  readonly reason: RuleReason | null
  readonly failures: number
  readonly rules: readonly RuleLine[]
}

type Judged = RuleLine & { readonly reason: RuleReason }

// What a purchase of each source can be rewarded by. A voucher's code is evidence wherever it was used.
const TYPE_OF_SOURCE: Readonly<Record<Purchase['source'], OfferType | null>> = {
  CARD: 'CARD_LINKED',
  AFFILIATE: 'AFFILIATE',
  GIFT_CARD: 'GIFT_CARD',
  VOUCHER: 'VOUCHER_CODE',
  OTHER: null,
}

/** Judges one purchase by one offer. Every rule is judged, so that the trace shows all that stood in the way. */
export function judge(offer: Offer, purchase: Purchase, circumstances: Circumstances): Verdict {
  const judged = [
    ...userRules(offer, purchase, circumstances),
    ...offerRules(offer, purchase, circumstances),
    ...evidenceRules(offer, purchase, circumstances),
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

function userRules(offer: Offer, purchase: Purchase, { standing, card }: Circumstances): Judged[] {
  const rules: Judged[] = [
    {
      rule: 'user_active',
      value: standing,
      bound: 'ACTIVE',
      passed: standing === 'ACTIVE',
      reason: standing === 'INACTIVE' ? 'user_inactive' : 'terms_not_accepted',
    },
  ]
  const withCode = offer.offerType === 'VOUCHER_CODE' && purchase.voucherCode !== null
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

function offerRules(offer: Offer, purchase: Purchase, circumstances: Circumstances): Judged[] {
  const rules: Judged[] = [
    {
      rule: 'currency',
      value: purchase.currency,
      bound: offer.currency,
      passed: purchase.currency === offer.currency && offer.currency === purchase.ledgerCurrency,
      reason: 'currency_mismatch',
    },
  ]
  const { startDate, endDate, minSpend } = offer
  if (startDate !== null)
    rules.push({
      rule: 'start_date',
      value: purchase.day,
      bound: startDate,
      passed: purchase.day >= startDate,
      reason: 'offer_not_started',
    })
  if (endDate !== null)
    rules.push({
      rule: 'end_date',
      value: purchase.day,
      bound: endDate,
      passed: purchase.day <= endDate,
      reason: 'offer_ended',
    })
  if (minSpend !== null) {
    rules.push({
      rule: 'min_spend',
      value: decimalText(purchase.amount, purchase.currency),
      bound: decimalText(minSpend, offer.currency),
      passed: purchase.amount >= minSpend,
      reason: 'below_min_spend',
    })
  }
  if (offer.oneTimeUse) {
    rules.push({
      rule: 'one_time_use',
      value: circumstances.used ? 'used' : 'unused',
      bound: 'unused',
      passed: !circumstances.used,
      reason: 'offer_already_used',
    })
  }
  if (offer.newCustomerOnly) {
    const previous = circumstances.previousPurchaseAt
    rules.push({
      rule: 'new_customer_only',
      value: previous?.toISOString() ?? 'no earlier purchase',
      bound: `none in ${offer.newCustomerDays} days`,
      passed: isNewCustomer(offer, purchase, circumstances),
      reason: 'not_a_new_customer',
    })
  }
  return rules
}

function evidenceRules(offer: Offer, purchase: Purchase, circumstances: Circumstances): Judged[] {
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
  const store = judgeStore(offer, purchase.place)
  if (store !== null) rules.push(store)
  const groups = groupsFor(offer, purchase, circumstances)
  const fits = groups.some((group) => amountFits(group, purchase.amount))
  if (offer.groups.some((group) => group.name !== null)) {
    rules.push({
      rule: 'commission_group',
      value: groups.map((group) => group.name).join(', '),
      bound: offer.groups.map((group) => group.name).join(', '),
      passed: fits,
      reason: 'no_commission_group',
    })
  }
  return rules
}

/** No purchase with the brand in the offer's window before this one. */
export function isNewCustomer(offer: Offer, purchase: Purchase, { previousPurchaseAt }: Circumstances): boolean {
  return (
    previousPurchaseAt === null ||
    purchase.at.getTime() - previousPurchaseAt.getTime() > offer.newCustomerDays * 86_400_000
  )
}

/**
 * The commission groups that this customer and these goods can fall into; which of them pays follows from the amount.
 * No source reports product groups yet, so a group bound to them does not apply.
 */
export function groupsFor(offer: Offer, purchase: Purchase, circumstances: Circumstances): Offer['groups'] {
  const kind = isNewCustomer(offer, purchase, circumstances) ? 'new' : 'returning'
  return offer.groups.filter(
    (group) => group.productGroups.length === 0 && (group.customer === null || group.customer === kind),
  )
}

export function amountFits(
  group: { readonly minAmount: bigint | null; readonly maxAmount: bigint | null },
  amount: bigint,
): boolean {
  return (
    (group.minAmount === null || amount >= group.minAmount) && (group.maxAmount === null || amount <= group.maxAmount)
  )
}
