import { entryWords, matchPhraseAt, neverPhrases } from '../text/bank-words.ts'
import type { Tokens } from '../text/tokens.ts'

// Bank transfers (ACH entries) carry wages, payouts, loans and bills, and rarely a purchase: one debited by PayPal for
// a merchant, or one the customer ordered on the merchant's site.

/** The way the money moved, according to the text. */
type Transfer = {
  /** True if the money moved from account to account, not by card. */
  readonly isEntry: boolean
  /** True if, in addition, nothing suggests a purchase. */
  readonly isAch: boolean
  /** True if the transfer's own field marks it as wages, a transfer or the like. */
  readonly isNever: boolean
}

const card: Transfer = { isEntry: false, isAch: false, isNever: false }
const purchase: Transfer = { isEntry: true, isAch: false, isNever: false }
const achField = /\b(?:des|indn|co id):/

/** Classifies a transfer by the bank's words around the merchant's field. */
export function classifyTransfer(folded: string, { texts }: Tokens, field: number, end: number): Transfer {
  const last = texts[field - 1]
  // `PAYPAL DES:INST XFER ID:SHOP`: the last field names the payee.
  if (last === 'id') return purchase
  // `ORIG CO NAME:SHOP ORIG ID:… CO ENTRY DESCR:PAYMENTS SEC:WEB`
  if (last === 'name' && texts[field - 2] === 'co')
    return { isEntry: true, isAch: !isByCustomer(texts, end), isNever: isNeverFrom(texts, end) }
  if (folded.includes(':') && achField.test(folded)) return { isEntry: true, isAch: true, isNever: false }
  for (let at = 0; at < field; at += 1) if (entryWords.has(texts[at] ?? '')) return purchase
  return card
}

/**
 * Returns true if the payment was ordered on the web or by telephone. A full-length field is followed without a space,
 * so `SEC` may be glued to it.
 */
function isByCustomer(texts: readonly string[], end: number): boolean {
  const at = texts.findIndex((text, place) => place >= end && text.endsWith('sec'))
  return at >= 0 && (texts[at + 1] === 'web' || texts[at + 1] === 'tel')
}

const isNeverFrom = (texts: readonly string[], end: number) =>
  texts.some((_, at) => at >= end && matchPhraseAt(neverPhrases, texts, at, texts.length) > 0)
