import { PPM, ppmToPercent, shareFloor, toJsonNumber } from '../platform/money.ts'
import type { Publisher } from '../publishers/index.ts'
import { type CommissionGroup, isPercentage, type Offer } from './offer.ts'

/** What a publisher's agreement leaves of a commission. */
export type Split = Pick<Publisher, 'feePpm' | 'sharePpm'>

/**
 * A user's part of a group after the service's fee and the publisher's share, exactly: parts per million of a
 * percentage, minor units of an amount. A percentage is rounded down to what can be shown, so that no more is promised
 * than is paid.
 */
export function netOf(group: CommissionGroup, split: Split): bigint {
  const fee = BigInt(split.feePpm)
  const share = BigInt(split.sharePpm)
  if (group.amount === null) return shareFloor(BigInt(group.ratePpm ?? 0), PPM - fee - share)
  return group.amount - shareFloor(group.amount, fee) - shareFloor(group.amount, share)
}

/** The number shown to users: a percentage with at most four decimals, or an amount of the offer's currency. */
export function shownNumber(offer: Pick<Offer, 'rewardType' | 'currency'>, net: bigint): number {
  return isPercentage(offer.rewardType) ? ppmToPercent(Number(net)) : toJsonNumber(net, offer.currency)
}

export type NetOffer = {
  /** What every user gets: the group without conditions, or the highest where all have some. */
  readonly customerOffer: bigint
  /** The highest group; no user gets more. */
  readonly maxCustomerOffer: bigint
}

export function netOfOffer(offer: Pick<Offer, 'groups'>, split: Split): NetOffer {
  const nets = offer.groups.map((group) => ({ group, net: netOf(group, split) }))
  const maxCustomerOffer = highest(nets)
  // Of several groups without conditions the best one pays.
  const plain = nets.filter(({ group }) => isForEverybody(group))
  return { customerOffer: plain.length === 0 ? maxCustomerOffer : highest(plain), maxCustomerOffer }
}

function highest(nets: readonly { readonly net: bigint }[]): bigint {
  return nets.reduce((most, { net }) => (net > most ? net : most), 0n)
}

function isForEverybody(group: CommissionGroup): boolean {
  const { customer, productGroups, skus, minAmount, maxAmount } = group
  return (
    customer === null && productGroups.length === 0 && skus.length === 0 && minAmount === null && maxAmount === null
  )
}

/** "Up to 5% cashback", "$4 off": the description of a reward without a text of its own. */
export function rewardText(offer: Offer, { customerOffer, maxCustomerOffer }: NetOffer): string {
  const most = shownNumber(offer, maxCustomerOffer)
  const figure = isPercentage(offer.rewardType) ? `${most}%` : formatOf(offer.currency).format(most)
  const varies =
    offer.groups.length > 1 && (customerOffer < maxCustomerOffer || offer.groups.some((one) => !isForEverybody(one)))
  return `${varies ? 'Up to ' : ''}${figure} ${offer.rewardType.startsWith('CASHBACK') ? 'cashback' : 'off'}`
}

// Making a format takes longer than writing a page of texts.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known !== undefined) return known
  const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
  const format = new Intl.NumberFormat('en-US', options)
  formats.set(currency, format)
  return format
}
