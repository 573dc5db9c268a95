import type { Day } from '../platform/calendar.ts'
import type { Assortment } from './assortment.ts'
import { type Block, dayNumber } from './block.ts'
import { isPercentage } from './commission.ts'
import type { Split } from './net.ts'
import { createRecent, type Recent } from './recent.ts'

/** What a publisher's terms make of a block on a day. */
export type BlockTerms = {
  /** 1: the brand is not retired, and carried. */
  readonly brands: Uint8Array
  /** 1: the offer is carried, and valid on the day. */
  readonly offers: Uint8Array
  /** What the commissions leave the user at the most, see `Commissions`; reckoned when somebody sorts by it. */
  readonly figures: () => Float64Array
}

// Publishers with the same terms share these: some megabytes for each of so many, at half a million offers.
const TERMS_MAX = 16
const known = new WeakMap<Block, Recent<string, BlockTerms>>()

export function blockTermsOf(block: Block, assortment: Assortment, day: Day): BlockTerms {
  let terms = known.get(block)
  if (terms === undefined) {
    terms = createRecent(TERMS_MAX)
    known.set(block, terms)
  }
  const key = `${assortment.termsKey} ${day}`
  const found = terms.get(key)
  if (found !== undefined) return found
  const made = makeTerms(block, assortment, dayNumber(day))
  terms.set(key, made)
  return made
}

function makeTerms(block: Block, assortment: Assortment, day: number): BlockTerms {
  let figures: Float64Array | null = null
  return {
    brands: Uint8Array.from(block.brands, (brand) => (!brand.retired && assortment.carriesBrand(brand) ? 1 : 0)),
    offers: Uint8Array.from(block.offers, (offer, at) => {
      const isValid = (block.starts[at] ?? 0) <= day && day <= (block.ends[at] ?? 0)
      return isValid && assortment.carries(offer) ? 1 : 0
    }),
    figures: () => {
      figures ??= figuresOf(block, assortment)
      return figures
    },
  }
}

function figuresOf(block: Block, { splitOf, catalog }: Assortment): Float64Array {
  const { commissions } = catalog.stock
  let split: Split | null = null
  let ofSplit: Float64Array = new Float64Array(0)
  return Float64Array.from(block.offers, (offer, at) => {
    const own = splitOf(offer)
    if (own !== split) ofSplit = commissions.figuresOf(own)
    split = own
    return ofSplit[block.commissions[at] ?? 0] ?? 0
  })
}

/**
 * One more than the highest figure of each brand among the listed offers, of those in the unit that the brand names if it has any; 0
 * without an offer.
 */
export function highestOf(
  block: Block,
  figures: Float64Array,
  listed: Uint8Array,
  percentages: Uint8Array,
): Float64Array {
  return Float64Array.from(block.brands, ({ rewardType }, brand) => {
    const wanted = rewardType === null ? -1 : isPercentage(rewardType) ? 1 : 0
    let fitting = 0
    let any = 0
    for (let at = block.offerFrom[brand] ?? 0; at < (block.offerFrom[brand + 1] ?? 0); at++) {
      if (listed[at] !== 1) continue
      const figure = (figures[at] ?? 0) + 1
      if (figure > any) any = figure
      if (percentages[block.commissions[at] ?? 0] === wanted && figure > fitting) fitting = figure
    }
    return fitting > 0 ? fitting : any
  })
}
