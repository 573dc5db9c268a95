import { isState } from './geography.ts'
import { setOf } from './lists.ts'
import { isTrade } from './trades.ts'
import pack from './words.json' with { type: 'json' }

/** Brand names of one word that are also plain words, given names or places: `TARGET SHOOTING RANGE` is no Target. */
export const commonWords = setOf(pack.common)

/** Given names, peoples, landscapes, colors and praise: what independent shops call themselves. */
const plainWords = setOf(pack.plain)

/** Trades and venues. After a name they mean another business, unless the brand is in that trade. */
export const otherTrades = setOf(pack.trades)

/** Trades that many shops run beside their own, so no sign against a distinctive name. */
export const sharedTrades = setOf(pack.sharedTrades)

/** Words that may follow any merchant's name without naming another one. */
export const neutralWords = setOf(pack.neutral)

/** Neutral words that make another business of a name: a supermarket's mobile network is not the supermarket. */
export const distinguishingWords = setOf(pack.distinguishing)

export const companyForms = setOf(pack.companyForms)

/** Words of a company's legal name that PayPal prints onto the brand's. */
export const companySuffixes = [...setOf(pack.companySuffixes)]

/** Parts of a store that tills print onto its name. */
export const departments = [...setOf(pack.departments)]

/** Letters for the register that tills print onto a store's name. */
export const registers = setOf(pack.registers)

/** Words that announce a store number. */
export const storeNumberWords = setOf(pack.storeNumber)

/** Fuels and dealers' co-operatives whose stations and shops carry the owner's name in front; without spaces. */
export const dealers = setOf(pack.dealers)
export const dealerOpenings = setOf(pack.dealerOpenings)

/** The first three digits of airlines' ticket numbers. */
export const ticketPrefixes = setOf(pack.ticketPrefixes)

const shortestPlural = 5

/** Whether the word alone says little about who a merchant is. */
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
