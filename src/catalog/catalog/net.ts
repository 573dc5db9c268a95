import { floorShare, PPM, ppmToPercent, toJsonNumber } from '../../platform/money.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { type CommissionGroup, isPercentage, type Offer } from './offer.ts'

/** The parts of a commission that the agreement assigns to the service and the publisher. */
export type Split = Pick<Publisher, 'feePpm' | 'sharePpm'>

/**
 * Returns a user's exact part of a group after the service's fee and the publisher's share: parts per million for a
 * percentage, or minor units for an amount. Percentages are rounded down to what can be displayed, so that no more is
 * promised than is paid.
 */
export function computeNet(group: CommissionGroup, split: Split): bigint {
  const fee = BigInt(split.feePpm)
  const share = BigInt(split.sharePpm)
  if (group.amount === null) return floorShare(BigInt(group.ratePpm ?? 0), PPM - fee - share)
  return group.amount - floorShare(group.amount, fee) - floorShare(group.amount, share)
}

/**
 * Returns the number displayed to users: a percentage with at most four decimal places, or an amount in the offer's
 * currency.
 */
export function displayNumber(offer: Pick<Offer, 'rewardType' | 'currency'>, net: bigint): number {
  return isPercentage(offer.rewardType) ? ppmToPercent(Number(net)) : toJsonNumber(net, offer.currency)
}

export type NetOffer = {
  /** The standard reward: that of the unconditional group, or the highest one if all groups have conditions. */
  readonly customerOffer: bigint
  /** The reward of the highest-paying group. No user gets more. */
  readonly maxCustomerOffer: bigint
}

export function computeOfferNet(offer: Pick<Offer, 'groups'>, split: Split): NetOffer {
  const nets = offer.groups.map((group) => ({ group, net: computeNet(group, split) }))
  const maxCustomerOffer = highest(nets)
  // If several groups are unconditional, the best one pays.
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

/** Describes a reward that has no text of its own, such as "Up to 5% cashback" or "$4 off". */
export function describeReward(offer: Offer, { customerOffer, maxCustomerOffer }: NetOffer): string {
  const most = displayNumber(offer, maxCustomerOffer)
  const figure = isPercentage(offer.rewardType) ? `${most}%` : getFormat(offer.currency).format(most)
  const varies =
    offer.groups.length > 1 && (customerOffer < maxCustomerOffer || offer.groups.some((one) => !isForEverybody(one)))
  return `${varies ? 'Up to ' : ''}${figure} ${offer.rewardType.startsWith('CASHBACK') ? 'cashback' : 'off'}`
}

// Creating a formatter takes longer than formatting a page of amounts.
const formats = new Map<string, Intl.NumberFormat>()

function getFormat(currency: string): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known !== undefined) return known
  const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
  const format = new Intl.NumberFormat('en-US', options)
  formats.set(currency, format)
  return format
}
