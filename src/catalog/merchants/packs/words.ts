import { isState } from './geography.ts'
import { setOf } from './lists.ts'
import { isTrade } from './trades.ts'
import pack from './words.json' with { type: 'json' }

/** One-word brand names that are also plain words, given names or places: `TARGET SHOOTING RANGE` is not Target. */
export const commonWords = setOf(pack.common)

/** Given names, peoples, landscapes, colors and praise: popular names for independent businesses. */
const plainWords = setOf(pack.plain)

/** Trades and venues. After a name they mean a different business, unless the brand is in that trade. */
export const otherTrades = setOf(pack.trades)

/** Trades that many stores also run on the side, so they are no evidence against a distinctive name. */
export const sharedTrades = setOf(pack.sharedTrades)

/** Words that may follow any merchant's name without naming another one. */
export const neutralWords = setOf(pack.neutral)

/** Neutral words that turn a name into a different business: a supermarket's mobile network is not the supermarket. */
export const distinguishingWords = setOf(pack.distinguishing)

export const companyForms = setOf(pack.companyForms)

/** Words of a company's legal name that PayPal prints onto the brand's name. */
export const companySuffixes = [...setOf(pack.companySuffixes)]

/** Store departments that tills print onto the name. */
export const departments = [...setOf(pack.departments)]

/** Register letters that tills print onto a store's name. */
export const registers = setOf(pack.registers)

/** Words that introduce a store number. */
export const storeNumberWords = setOf(pack.storeNumber)

/** Fuel brands and dealer co-operatives whose stations and stores put the owner's name first. Without spaces. */
export const dealers = setOf(pack.dealers)
export const dealerOpenings = setOf(pack.dealerOpenings)

/** The first three digits of airline ticket numbers. */
export const ticketPrefixes = setOf(pack.ticketPrefixes)

const shortestPlural = 5

/** Returns true if the word alone says little about who the merchant is. */
export function isPlain(word: string): boolean {
  const isListed = (one: string) => plainWords.has(one) || commonWords.has(one)
  return (
    isListed(word) ||
    otherTrades.has(word) ||
    sharedTrades.has(word) ||
    neutralWords.has(word) ||
    isTrade(word) ||
    isState(word) ||
    (word.length >= shortestPlural && word.endsWith('s') && isListed(word.slice(0, -1)))
  )
}
