import type { CatalogOffer } from '../catalog.ts'
import { isPercentage } from '../import/commission-groups.ts'
import { netOfOffer, type Split, shownNumber } from '../net.ts'

/**
 * All commissions that offers pay, numbered as they are met: many offers pay alike, so what a split leaves of a commission is
 * reckoned once for all of them. Like the vocabulary it only grows.
 */
export type Commissions = {
  count(): number
  numberOf(offer: CatalogOffer): number
  /** The highest net figure of each commission, as an integer that sorts as the shown number does. */
  figuresOf(split: Split): Float64Array
  /** 1 where the figure is a percentage. */
  percentages(): Uint8Array
}

// Figures have at most four decimals, so these are whole numbers that a double holds exactly.
const FIGURE_SCALE = 10_000
const SPLITS_MAX = 64

export function createCommissions(): Commissions {
  const examples: Commission[] = []
  const numbers = new Map<string, number>()
  // Most offers of one loading share their groups, whose name need not be written for each.
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

/** The same for the same figures: offers that change all day come with new groups each time, but seldom with new rates. */
function nameOf({ groups, rewardType, currency }: Commission): string {
  const values = new Set(groups.map(({ amount, ratePpm }) => String(amount ?? ratePpm)))
  return [isPercentage(rewardType) ? '%' : currency, ...[...values].sort()].join(' ')
}

function figureOf(offer: Commission | undefined, split: Split): number {
  if (offer === undefined) return 0
  return Math.round(shownNumber(offer, netOfOffer(offer, split).maxCustomerOffer) * FIGURE_SCALE)
}
