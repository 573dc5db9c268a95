import type { Offer, OfferType } from '../catalog/index.ts'
import { decimalText } from '../platform/money.ts'
import { limitRules } from './limits.ts'
import type { Circumstances, Purchase } from './purchase.ts'
import type { Judged, RuleLine, RuleReason } from './rule-line.ts'
import { customerRules } from './rules-customers.ts'
import { groupRules } from './rules-goods.ts'
import { timeRules } from './rules-times.ts'
import { judgeStore } from './stores.ts'

export type Verdict = {
  readonly offer: Offer
  readonly eligible: boolean
  /** The reason of the first failed rule. */
  readonly reason: RuleReason | null
  readonly failures: number
  readonly rules: readonly RuleLine[]
}

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
