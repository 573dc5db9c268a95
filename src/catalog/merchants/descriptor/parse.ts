import {
  bankSuffixes,
  matchPhraseAt,
  neverPhrases,
  paymentPhrases,
  shareTrades,
  startsPhrase,
} from '../text/bank-words.ts'
import { isNumeric, type Tokens, tokenize } from '../text/tokens.ts'
import { endOfBankPrefix } from './bank-prefix.ts'
import { classifyTransfer } from './bank-transfer.ts'
import { undoLayout } from './layout.ts'
import { findReadings, type PrefixReading } from './processor-prefix.ts'

// Parses a descriptor to find what the bank prints around the merchant, who forwards the money, and where the
// merchant's name may begin. The packs list what banks, processors and wallets print.

/** Positions are token indexes; -1 if absent. */
export type Parsed = {
  /** The text that the tokens' starts and ends refer to. */
  readonly folded: string
  readonly tokens: Tokens
  /** Best first. */
  readonly readings: readonly PrefixReading[]
  /** Where the merchant's field begins, including its prefix. */
  readonly field: number
  /** Where the bank's own words resume. */
  readonly end: number
  /** The start of a phrase that rules out a purchase at a merchant. `neverTo` is the token after the phrase. */
  readonly neverAt: number
  readonly neverTo: number
  /** The start of words indicating that a bill or a card balance was paid. */
  readonly paymentAt: number
  /** True if the text has the fields of a bank transfer: wages, payouts or bills, but no purchase. */
  readonly isAch: boolean
  /**
   * True if the money moved from account to account, not by card. A merchant may be paid that way, and banks and
   * lenders usually are.
   */
  readonly isEntry: boolean
  /** Where the name was cut off by its column or the day of the purchase. */
  readonly brokenAt: number
  /** Where the city column begins. */
  readonly cityAt: number
  /** The category code, which some banks print. */
  readonly mcc: string | undefined
}

export function parseDescriptor(folded: string): Parsed {
  const { text, cityColumn, brokenAt } = undoLayout(folded)
  const tokens = tokenize(text)
  const { texts, starts } = tokens
  const tokenAt = (place: number) => (place < 0 ? -1 : starts.findIndex((start) => start >= place))
  const field = endOfBankPrefix(tokens, text)
  const phrases = phrasesFrom(tokens, field)
  const { end } = phrases
  const { isEntry, isAch, isNever } = classifyTransfer(text, tokens, field, end)
  const isShareTrade = texts.length > field + 1 && shareTrades.has(text.slice(text.lastIndexOf(' - ')))
  return {
    folded: text,
    tokens,
    readings: findReadings(tokens, field, end),
    field,
    end,
    neverAt: isNever ? end : isShareTrade ? texts.length - 1 : phrases.neverAt,
    neverTo: isNever || isShareTrade ? texts.length : phrases.neverTo,
    paymentAt: phrases.paymentAt,
    isAch,
    isEntry,
    brokenAt: tokenAt(brokenAt),
    cityAt: tokenAt(cityColumn),
    mcc: mccAfter(texts, end) ?? mccBefore(text, starts[field] ?? 0),
  }
}

type PhrasePlaces = Pick<Parsed, 'end' | 'neverAt' | 'neverTo' | 'paymentAt'>

/** Finds where the bank's words resume, and the phrases before that point. */
function phrasesFrom({ texts, gaps }: Tokens, field: number): PhrasePlaces {
  let neverAt = -1
  let neverTo = -1
  let paymentAt = -1
  let at = field
  for (; at < texts.length; at += 1) {
    if (at > field && isCardOrDate(texts, gaps, at)) break
    if (!startsPhrase(texts[at] ?? '')) continue
    const never = neverAt < 0 ? matchPhraseAt(neverPhrases, texts, at, texts.length) : 0
    const suffix = at > field ? matchPhraseAt(bankSuffixes, texts, at, texts.length) : 0
    // `purchase return` is more specific than `purchase`.
    if (never > suffix) {
      neverAt = at
      neverTo = at + never
    }
    if (suffix > 0) break
    if (at > field && paymentAt < 0 && matchPhraseAt(paymentPhrases, texts, at, texts.length) > 0) paymentAt = at
  }
  return { end: at, neverAt, neverTo, paymentAt }
}

/** Returns true for a card or a date: `CARD 1234`, `ON 052625` and `DATE 05/26/25`. */
function isCardOrDate(texts: readonly string[], gaps: Tokens['gaps'], at: number): boolean {
  const text = texts[at]
  if (text === 'date') return gaps[at + 2] === 'mark' && gaps[at + 3] === 'mark' && areDays(texts.slice(at + 1, at + 4))
  if (text !== 'card' && text !== 'on') return false
  const next = texts[at + 1] ?? ''
  return isNumeric(next) && (text === 'card' ? gaps[at] !== 'glued' : next.length === 6)
}

const areDays = (texts: readonly string[]) => texts.every((text) => text.length === 2 && isNumeric(text))

/**
 * Returns the code in `MERCHANT CATEGORY CODE 5411`, or the last item before the card in `DATE 06/04/25 0 5155335474 0
 * 5411 CARD 0123`.
 */
function mccAfter(texts: readonly string[], end: number): string | undefined {
  const isCategory = texts[end] === 'merchant' && texts[end + 1] === 'category'
  const isDated = texts[end] === 'date' && texts[end + datedCode + 1] === 'card'
  if (!isCategory && !isDated) return undefined
  const code = texts[end + (isCategory ? 3 : datedCode)] ?? ''
  return /^\d{4}$/.test(code) ? code : undefined
}

const datedCode = 7

/** Returns the category code before the name (`POS PURCHASE ON 11/15 @ 06:46  5411 `). */
function mccBefore(text: string, until: number): string | undefined {
  return until === 0 ? undefined : /@ \d\d:\d\d +(\d{4}) +$/.exec(text.slice(0, until))?.[1]
}
