import { bankPrefixes, bankWords, cardProducts, matchPhraseAt, networks, startsBankPrefix } from '../text/bank-words.ts'
import { isNumeric, type Tokens } from '../text/tokens.ts'

// Strips what banks print before the merchant. The packs contain the known phrases. Each bank arranges the same few
// words differently, so a run of these words is treated as a phrase, including any dates, times and masked numbers.
// Each function takes the token to start from and returns the token after the part it recognizes, or the same token if
// it recognizes nothing.

// Two prefixes in a row do occur (`POS DEBIT VISA CHECK CARD 0123`). At most three are stripped.
const mostLayers = 3

/** Returns the token where the merchant's field begins. */
export function endOfBankPrefix(tokens: Tokens, text: string): number {
  const { texts, gaps } = tokens
  let at = endOfAcquirerReference(tokens)
  for (let layer = 0; layer < mostLayers; layer += 1) {
    // A bank's own number may precede its words (`72601 POS PUR`).
    const isOwnNumber = isNumeric(texts[at] ?? '') && matchPhraseAt(bankPrefixes, texts, at + 1, texts.length) > 0
    const start = isOwnNumber ? at + 1 : at
    // Most descriptors have no prefix. A first prefix may be followed by a card product, which can begin with any word.
    if (layer === 0 && !startsBankPrefix(texts[start] ?? '')) break
    const next = Math.max(
      start + matchPhraseAt(bankPrefixes, texts, start, texts.length),
      endOfWordRun(tokens, start),
      endOfNetwork(tokens, start),
      endOfCardProduct(tokens, text, start),
    )
    // A masked number (`*****0012`) also contains stars.
    if (next === start || next >= texts.length || (gaps[next] === 'star' && !isNumeric(texts[next] ?? ''))) break
    at = endOfDates(tokens, next)
  }
  return endOfCardDigits(tokens, at)
}

const cardDigits = 4

/** Skips a network and the card's last digits (`VISA #0123`, `MC XXXX0123`). */
function endOfNetwork({ texts, gaps }: Tokens, start: number): number {
  if (!networks.has(texts[start] ?? '') || gaps[start + 1] === 'glued') return start
  const at = gaps[start + 2] === 'glued' && /^x+$/.test(texts[start + 1] ?? '') ? start + 2 : start + 1
  const isCard = texts[at]?.length === cardDigits && isNumeric(texts[at] ?? '') && gaps[at + 1] !== 'glued'
  return isCard && at + 1 < texts.length ? at + 1 : start
}

const mostProductWords = 2
const linesWithProduct = /date \d\d\/\d\d\/\d\d .*card (?:\d{4}|x{4})$/

/**
 * Skips the bank's name for the card (`MC DEBIT CLASSIC/SHOP`). A name missing from the packs is recognized only on
 * lines with the ending these banks use, because merchants' names also contain slashes (`VISA DEBIT CVS/PHARMACY`).
 */
function endOfCardProduct({ texts, starts, ends }: Tokens, text: string, start: number): number {
  const isDebitOrCredit = (at: number) => texts[at] === 'debit' || texts[at] === 'credit'
  let first = start
  if (networks.has(texts[first] ?? '')) first += 1
  if (isDebitOrCredit(first)) first += 1
  if (!isDebitOrCredit(first - 1) || !networks.has(texts[first - 2] ?? '')) return start
  for (let at = first; at < Math.min(first + mostProductWords, texts.length - 1); at += 1) {
    const slash = ends[at] ?? 0
    if (text[slash] !== '/' || starts[at + 1] !== slash + 1) continue
    return cardProducts.has(texts[at] ?? '') || linesWithProduct.test(text) ? at + 1 : start
  }
  return start
}

const fewestRunWords = 2
// Names may also begin with some of the bank's words (`IN N OUT`).
const nameOpenings: ReadonlySet<string> = new Set(['in', 'the'])

/** Skips a run of bank-only words, at least one of which indicates a purchase. */
function endOfWordRun(tokens: Tokens, start: number): number {
  const { texts } = tokens
  let words = 0
  let isPurchase = false
  let at = start
  for (let next = at; at < texts.length; at = next) {
    const role = bankWords.get(texts[at] ?? '')
    if (role === undefined) {
      next = words === 0 ? at : Math.max(endOfNumbers(tokens, at), endOfCashBack(tokens, at))
      if (next === at) break
    } else {
      next = at + 1
      words += 1
      isPurchase ||= role === 'purchase'
    }
  }
  if (words < fewestRunWords || !isPurchase) return start
  // The last word may begin a phrase (`POS PURCHASE MERCHANT NAME: SHOP`).
  at = Math.max(at, at - 1 + matchPhraseAt(bankPrefixes, texts, at - 1, texts.length))
  if (at >= texts.length) return start
  while (nameOpenings.has(texts[at - 1] ?? '')) at -= 1
  return at
}

/** Skips cash paid out with a purchase (`CASH BACK $ 20.00`). */
function endOfCashBack({ texts, gaps }: Tokens, start: number): number {
  if (texts[start] !== 'cash' || texts[start + 1] !== 'back') return start
  const cents = texts[start + 3] ?? ''
  const isAmount = isNumeric(texts[start + 2] ?? '') && cents.length === 2 && gaps[start + 3] === 'mark'
  return isAmount && isNumeric(cents) ? start + 4 : start + 2
}

const fewestMaskDigits = 4

/**
 * Skips dates, times and masked numbers (`12/31 07:54P`, `#0123`, `XXXX`). Shorter numbers may begin the merchant's
 * name (`7-ELEVEN`, `99 RANCH`).
 */
function endOfNumbers(tokens: Tokens, start: number): number {
  const { texts, gaps } = tokens
  const dated = endOfDates(tokens, start)
  if (dated > start) return (texts[dated] ?? '').length <= 2 && gaps[dated] === 'glued' ? dated + 1 : dated
  const isMask = isNumeric(texts[start] ?? '') && (texts[start] ?? '').length >= fewestMaskDigits
  if (isMask && gaps[start + 1] !== 'glued') return start + 1
  return gaps[start] === 'hash' ? endOfReference(tokens, start, { parts: 2, length: 8 }) : start
}

/**
 * Skips an acquirer's reference of alternating letters and digits (`2469216AD2YMLKAPM XFINITY`). `1800CONTACTS`
 * alternates only once.
 */
function endOfAcquirerReference(tokens: Tokens): number {
  const [first = ''] = tokens.texts
  const isLong = isNumeric(first) && first.length >= fewestMaskDigits
  return isLong && tokens.gaps[1] === 'glued' ? endOfReference(tokens, 0, { parts: 3, length: 12 }) : 0
}

type Least = { readonly parts: number; readonly length: number }

/** Skips an unbroken run of letters and digits that is long enough to be a reference. */
function endOfReference({ texts, gaps, starts, ends }: Tokens, start: number, least: Least): number {
  let at = start + 1
  while (gaps[at] === 'glued') at += 1
  const length = (ends[at - 1] ?? 0) - (starts[start] ?? 0)
  return at - start >= least.parts && length >= least.length && at < texts.length ? at : start
}

/** Skips pairs of short numbers separated by punctuation: `03/04`, `XX/XX`, `01:26` and `03/04 @ 01:26`. */
function endOfDates({ texts, gaps }: Tokens, start: number): number {
  const isPair = (at: number) => isDatePart(texts[at]) && isDatePart(texts[at + 1]) && gaps[at + 1] === 'mark'
  let at = start
  while (isPair(at) && at + 2 < texts.length) {
    // A time after the day never has two single digits, but a name may (`4-5 STAR MARKET`).
    if (isNumeric(texts[at - 1] ?? '') && texts[at]?.length === 1 && texts[at + 1]?.length === 1) break
    at += 2
    const isTime = isDatePart(texts[at + 1]) && gaps[at + 1] === 'mark'
    const isYear = isDatePart(texts[at]) && gaps[at] === 'mark' && !isTime
    if (isYear && at + 1 < texts.length) at += 1
  }
  return at
}

const isDatePart = (text: string | undefined) =>
  text !== undefined && text.length <= 2 && (isNumeric(text) || text === 'xx')

/** Skips a letter for the card and its last four digits (`D0123 SHOP`). */
function endOfCardDigits({ texts, gaps }: Tokens, start: number): number {
  const digits = texts[start + 1] ?? ''
  const isCard = texts[start]?.length === 1 && gaps[start + 1] === 'glued' && isNumeric(digits)
  return isCard && digits.length === cardDigits && gaps[start + 2] === 'space' ? start + 2 : start
}
