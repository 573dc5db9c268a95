import { isState } from './geography.ts'
import { toSet } from './lists.ts'
import { isTrade } from './trades.ts'
import pack from './words.json' with { type: 'json' }

/** One-word brand names that are also plain words, given names or places: `TARGET SHOOTING RANGE` is not Target. */
export const commonWords = toSet(pack.common)

/** Given names, peoples, landscapes, colors and praise: popular names for independent businesses. */
const plainWords = toSet(pack.plain)

/** Trades and venues. After a name, they indicate a different business, unless the brand is in that trade. */
export const otherTrades = toSet(pack.trades)

/** Trades that many stores also practice as a sideline, so they are not evidence against a distinctive name. */
export const sharedTrades = toSet(pack.sharedTrades)

/** Words that may follow any merchant's name without referring to another merchant. */
export const neutralWords = toSet(pack.neutral)

/** Neutral words that turn a name into a different business: a supermarket's mobile network is not the supermarket. */
export const distinguishingWords = toSet(pack.distinguishing)

export const companyForms = toSet(pack.companyForms)

/** Words of a company's legal name that PayPal appends to the brand's name without a space. */
export const companySuffixes = [...toSet(pack.companySuffixes)]

/** Store departments that tills append to the name without a space. */
export const departments = [...toSet(pack.departments)]

/** Register letters that tills append to a store's name without a space. */
export const registers = toSet(pack.registers)

/** Words that introduce a store number. */
export const storeNumberWords = toSet(pack.storeNumber)

/** Fuel brands and dealer cooperatives whose stations and stores put the owner's name first. Without spaces. */
export const dealers = toSet(pack.dealers)
export const dealerOpenings = toSet(pack.dealerOpenings)

/** The first three digits of airline ticket numbers. */
export const ticketPrefixes = toSet(pack.ticketPrefixes)

const shortestPlural = 5

/** Returns true if the word by itself says little about who the merchant is. */
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
