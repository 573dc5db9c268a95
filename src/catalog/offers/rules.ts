import { formatDecimal } from '../../platform/money.ts'
import type { Offer, OfferType } from '../catalog/index.ts'
import { limitRules } from './limits.ts'
import type { Circumstances, Purchase } from './purchase.ts'
import { type RuleLine, type RuleReason, type RuleRow, toJudged } from './rule-line.ts'
import { checkCustomer } from './rules-customers.ts'
import { groupRule } from './rules-goods.ts'
import { checkTimes } from './rules-times.ts'
import { storeRule } from './stores.ts'

export type Verdict = {
  readonly offer: Offer
  readonly eligible: boolean
  /** The failure reason of the first rule that failed. */
  readonly reason: RuleReason | null
  readonly failures: number
  readonly rules: readonly RuleLine[]
}

// The offer type that rewards each source. A voucher code works with any source.
const TYPE_OF_SOURCE: Readonly<Record<Purchase['source'], OfferType | null>> = {
  CARD: 'CARD_LINKED',
  AFFILIATE: 'AFFILIATE',
  GIFT_CARD: 'GIFT_CARD',
  VOUCHER: 'VOUCHER_CODE',
  OTHER: null,
}

/** The source that each offer type rewards. */
export const SOURCE_OF_TYPE = {
  CARD_LINKED: 'CARD',
  AFFILIATE: 'AFFILIATE',
  GIFT_CARD: 'GIFT_CARD',
  VOUCHER_CODE: 'VOUCHER',
} as const satisfies Readonly<Record<OfferType, Purchase['source']>>

/** Judges a purchase against an offer. Evaluates every rule, so that the trace shows every failure. */
export function judge(offer: Offer, purchase: Purchase, circumstances: Circumstances): Verdict {
  const judged = toJudged([
    ...userRules(offer, purchase, circumstances),
    ...checkTimes(offer, purchase),
    spendRule(offer, purchase),
    ...checkCustomer(offer, purchase, circumstances),
    ...limitRules(offer, circumstances),
    ...evidenceRules(offer, purchase),
    groupRule(offer, purchase, circumstances),
  ])
  const failed = judged.filter((line) => !line.passed)
  return {
    offer,
    eligible: failed.length === 0,
    reason: failed[0]?.reason ?? null,
    failures: failed.length,
    rules: judged.map(({ reason: _, ...line }) => line),
  }
}

function userRules(offer: Offer, purchase: Purchase, { standing, card, limits }: Circumstances): RuleRow[] {
  const { source, voucherCode, offerUid, currency, hasBooks } = purchase
  const { offerType } = offer
  const withCode = offerType === 'VOUCHER_CODE' && (voucherCode !== null || limits.code !== 'none')
  const isNamed = source === 'OTHER' && offerUid === offer.offerUid
  const isOfSource = TYPE_OF_SOURCE[source] === offerType || withCode || isNamed
  const isLinkNeeded = offerType === 'CARD_LINKED' && source === 'CARD'
  const inactive = standing === 'INACTIVE' ? 'user_inactive' : 'terms_not_accepted'
  const unlinked = card === 'linked_later' ? 'before_card_linked' : 'card_not_linked'
  return [
    ['user_active', standing, 'ACTIVE', standing === 'ACTIVE', inactive],
    ['source', source, offerType, isOfSource, 'source_not_eligible'],
    isLinkNeeded && ['card_linked', card, 'linked', card === 'linked', unlinked],
    ['currency', currency, offer.currency, currency === offer.currency && hasBooks, 'currency_mismatch'],
  ]
}

function spendRule({ minSpend, currency }: Offer, purchase: Purchase): RuleRow {
  if (minSpend === null) return false
  const spent = formatDecimal(purchase.amount, purchase.currency)
  return ['min_spend', spent, formatDecimal(minSpend, currency), purchase.amount >= minSpend, 'below_min_spend']
}

/** Checks the evidence for the offer: voucher code, gift card value, channel, store. */
function evidenceRules(offer: Offer, purchase: Purchase): RuleRow[] {
  const { denominations, channels } = offer
  const { amount, channel } = purchase
  const wanted = offer.offerType === 'VOUCHER_CODE' ? offer.voucherCode : null
  const code = purchase.voucherCode?.trim().toUpperCase() ?? null
  const isCode = code === wanted?.trim().toUpperCase()
  const isGift = offer.offerType === 'GIFT_CARD' && denominations.length > 0
  const value = formatDecimal(amount, purchase.currency)
  const values = denominations.map((one) => formatDecimal(one, offer.currency)).join(', ')
  const isChannel = channel === null || channels?.includes(channel) === true
  return [
    wanted !== null && ['voucher_code', code, wanted, isCode, 'voucher_code_mismatch'],
    isGift && ['denomination', value, values, denominations.includes(amount), 'denomination_mismatch'],
    channels !== null && ['channel', channel, channels.join(', '), isChannel, 'channel_not_eligible'],
    storeRule(offer, purchase.place),
  ]
}
