import type { Schemas } from '../../api/client.ts'
import { day, money } from '../../format.ts'
import type { Tone } from '../../ui/pill.tsx'

type Offer = Schemas['CatalogOffer']
export type OfferState = Schemas['OfferOfCatalog']['state']

export const OFFER_STATES: Readonly<Record<OfferState, readonly [label: string, tone: Tone]>> = {
  live: ['Current', 'good'],
  scheduled: ['Not started', 'info'],
  ended: ['Ended', 'neutral'],
  retired: ['Retired', 'neutral'],
}

/** Returns the state of an offer on a day. Start and end dates are inclusive. */
export function deriveState({ retired, start_date, end_date }: Offer, today: string): OfferState {
  if (retired) return 'retired'
  if (start_date !== undefined && start_date > today) return 'scheduled'
  return end_date !== undefined && end_date < today ? 'ended' : 'live'
}

/** Formats what a user gets, such as `5%` or `up to $12.00`. */
export function formatReward({
  reward_type,
  customer_offer,
  max_customer_offer,
  currency = 'USD',
}: RewardTerms): string {
  const value = customer_offer ?? max_customer_offer
  if (value === undefined) return ''
  const upTo = customer_offer === undefined ? 'up to ' : ''
  return upTo + (reward_type.endsWith('DOLLAR') ? money(value, currency) : `${value}%`)
}
type RewardTerms = Pick<Offer, 'reward_type' | 'customer_offer' | 'max_customer_offer' | 'currency'>

/** Formats what an advertiser pays. With commission groups, this is `up to` and the best rate. */
export function payText({ commission, commission_groups: groups = [], currency = 'USD' }: Offer): string {
  if (groups.length === 0) return commission === undefined ? '–' : formatCommission(commission, currency)
  const best = groups.reduce((a, b) => ((b.rate ?? b.amount ?? 0) > (a.rate ?? a.amount ?? 0) ? b : a))
  return `up to ${formatCommission(best, currency)}`
}

/** Like `payText`, but for a listed offer, which includes only the value of its best group. */
export function formatListedCommission({
  commission,
  commission_groups,
  reward_type,
  currency,
}: Schemas['OfferOfCatalog']): string {
  const value = reward_type.endsWith('DOLLAR') ? money(commission, currency) : `${commission}%`
  return commission_groups > 1 ? `up to ${value}` : value
}

type Conditions = {
  readonly start_date?: string | null
  readonly end_date?: string | null
  readonly min_spend?: number | null
  readonly max_spend?: number | null
  readonly currency?: string
  readonly one_time_use?: boolean
  readonly new_customer_only?: boolean
  readonly activation_required?: boolean
}

/**
 * Describes, in a few words, each condition that a purchase must meet. Accepts offers from lists and from catalog
 * files.
 */
export function describeConditions(offer: Conditions): string[] {
  const { start_date, end_date, min_spend, max_spend, currency = 'USD' } = offer
  return [
    start_date && `from ${day(start_date)}`,
    end_date && `until ${day(end_date)}`,
    min_spend && `from ${money(min_spend, currency)}`,
    max_spend && `up to ${money(max_spend, currency)}`,
    offer.one_time_use && 'once per user',
    offer.new_customer_only && 'new customers',
    offer.activation_required && 'must be activated',
  ].filter((text) => typeof text === 'string')
}

/** Formats what an advertiser pays for a purchase, which is either a percentage or an amount. */
export function formatCommission({ rate, amount }: Schemas['Commission'], currency: string): string {
  if (rate !== undefined) return `${rate}%`
  return amount === undefined ? '–' : money(amount, currency)
}
