import type { CatalogOffer } from '../catalog.ts'
import { netOfOffer, type Split, shownNumber } from '../net.ts'
import { isPercentage } from '../offer.ts'

/**
 * The distinct commissions of all offers, numbered in the order of arrival: what a split leaves of one is computed once
 * for all offers with it. Like the vocabulary it only grows.
 */
export type Commissions = {
  count(): number
  numberOf(offer: CatalogOffer): number
  /** The highest net reward of each commission, as an integer that sorts as the shown number does. */
  figuresOf(split: Split): Float64Array
  /** 1 where the figure is a percentage. */
  percentages(): Uint8Array
}

// Figures have at most four decimals, so these are integers that a double holds exactly.
const FIGURE_SCALE = 10_000
const SPLITS_MAX = 64

export function createCommissions(): Commissions {
  const examples: Commission[] = []
  const numbers = new Map<string, number>()
  // Most offers of one load share their groups, which saves building a key for each.
  const ofGroups = new WeakMap<CatalogOffer['groups'], number>()
  const bySplit = new Map<string, Float64Array>()
  let percentages = new Uint8Array(0)
  return {
    count: () => examples.length,
    numberOf: ({ groups, rewardType, currency }) => {
      const known = ofGroups.get(groups)
      if (known !== undefined) return known
      const commission = { groups, rewardType, currency }
      const name = nameOf(commission)
      const number = numbers.get(name) ?? examples.push(commission) - 1
      numbers.set(name, number)
      ofGroups.set(groups, number)
      return number
    },
    figuresOf: (split) => {
      const key = `${split.feePpm} ${split.sharePpm}`
      const known = bySplit.get(key) ?? new Float64Array(0)
      if (known.length === examples.length) return known
      const figures = new Float64Array(examples.length)
      figures.set(known)
      for (let at = known.length; at < examples.length; at++) figures[at] = figureOf(examples[at], split)
      if (bySplit.size >= SPLITS_MAX) bySplit.clear()
      bySplit.set(key, figures)
      return figures
    },
    percentages: () => {
      if (percentages.length < examples.length)
        percentages = Uint8Array.from(examples, ({ rewardType }) => (isPercentage(rewardType) ? 1 : 0))
      return percentages
    },
  }
}

type Commission = Pick<CatalogOffer, 'groups' | 'rewardType' | 'currency'>

/** Equal figures, equal keys: offers that change all day get new groups each time, but seldom new rates. */
function nameOf({ groups, rewardType, currency }: Commission): string {
  const values = new Set(groups.map(({ amount, ratePpm }) => String(amount ?? ratePpm)))
  return [isPercentage(rewardType) ? '%' : currency, ...[...values].sort()].join(' ')
}

function figureOf(offer: Commission | undefined, split: Split): number {
  if (offer === undefined) return 0
  return Math.round(shownNumber(offer, netOfOffer(offer, split).maxCustomerOffer) * FIGURE_SCALE)
}
