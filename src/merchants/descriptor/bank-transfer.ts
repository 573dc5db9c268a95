import { entryWords, neverPhrases, phraseAt } from '../packs/bank-words.ts'
import type { Tokens } from '../text/tokens.ts'

// Entries between banks carry wages, payouts, loans and bills, and rarely a purchase: one that PayPal drew for a shop,
// or one that the customer ordered at the shop's site.

/** What the text says about how the money moved. */
type Transfer = {
  /** From account to account, not by card. */
  readonly isEntry: boolean
  /** And nothing says that something was bought. */
  readonly isAch: boolean
  /** Its own field says that it is wages, a transfer or the like. */
  readonly isNever: boolean
}

const card: Transfer = { isEntry: false, isAch: false, isNever: false }
const purchase: Transfer = { isEntry: true, isAch: false, isNever: false }
const achField = /\b(?:des|indn|co id):/

/** Reads it from the bank's words around the merchant's field. */
export function transferOf(folded: string, { texts }: Tokens, field: number, end: number): Transfer {
  const last = texts[field - 1]
  // `PAYPAL DES:INST XFER ID:SHOP`: the last field says who was paid.
  if (last === 'id') return purchase
  // `ORIG CO NAME:SHOP ORIG ID:… CO ENTRY DESCR:PAYMENTS SEC:WEB`
  if (last === 'name' && texts[field - 2] === 'co')
    return { isEntry: true, isAch: !isByCustomer(texts, end), isNever: isNeverFrom(texts, end) }
  if (folded.includes(':') && achField.test(folded)) return { isEntry: true, isAch: true, isNever: false }
  for (let at = 0; at < field; at += 1) if (entryWords.has(texts[at] ?? '')) return purchase
  return card
}

/** Ordered on the web or by telephone. A field of full length is followed without a space, so `SEC` may be glued. */
function isByCustomer(texts: readonly string[], end: number): boolean {
  const at = texts.findIndex((text, place) => place >= end && text.endsWith('sec'))
  return at >= 0 && (texts[at + 1] === 'web' || texts[at + 1] === 'tel')
}

const isNeverFrom = (texts: readonly string[], end: number) =>
  texts.some((_, at) => at >= end && phraseAt(neverPhrases, texts, at, texts.length) > 0)
