import { bankPrefixes, bankWords, phraseAt } from '../packs/packs.ts'
import { isNumeric, type Tokens } from '../text/tokens.ts'

// What banks print before the merchant. Known phrases are in the packs; each bank puts the same few words in an order of
// its own, so a run of such words is one too, with the dates, times and masked numbers in it.

// Two wrappers in a row happen (`POS DEBIT VISA CHECK CARD 0123`); more do not.
const mostLayers = 3

/** The token with which the merchant's field begins. */
export function endOfBankPrefix(tokens: Tokens, text: string): number {
  const { texts, gaps } = tokens
  let at = behindAcquirer(tokens)
  for (let layer = 0; layer < mostLayers; layer += 1) {
    // A bank's own number may stand before its words (`72601 POS PUR`).
    const start = isNumeric(texts[at] ?? '') && phraseAt(bankPrefixes, texts, at + 1, texts.length) > 0 ? at + 1 : at
    const next = Math.max(
      start + phraseAt(bankPrefixes, texts, start, texts.length),
      behindRun(tokens, start),
      behindNetwork(tokens, start),
      behindProduct(tokens, text, start),
    )
    // A masked number (`*****0012`) has stars too.
    if (next === start || next >= texts.length || (gaps[next] === 'star' && !isNumeric(texts[next] ?? ''))) break
    at = behindDates(tokens, next)
  }
  return behindCard(tokens, at)
}

const networks: ReadonlySet<string> = new Set(['amex', 'card', 'discover', 'mastercard', 'mc', 'visa'])
const networkDigits = 4

/** The token behind a network and the last digits of the card (`VISA #0123`, `MC XXXX0123`); `start`: none. */
function behindNetwork({ texts, gaps }: Tokens, start: number): number {
  if (!networks.has(texts[start] ?? '') || gaps[start + 1] === 'glued') return start
  const at = gaps[start + 2] === 'glued' && /^x+$/.test(texts[start + 1] ?? '') ? start + 2 : start + 1
  const isCard = texts[at]?.length === networkDigits && isNumeric(texts[at] ?? '') && gaps[at + 1] !== 'glued'
  return isCard && at + 1 < texts.length ? at + 1 : start
}

const mostProductWords = 2
const products: ReadonlySet<string> = new Set(
  'basic business checking classic consumer everyday gold personal platinum premier rewards standard student world'.split(
    ' ',
  ),
)
const cardsTail = /date \d\d\/\d\d\/\d\d .*card (?:\d{4}|x{4})$/

/**
 * The token behind what the bank calls the card (`MC DEBIT CLASSIC/SHOP`); `start`: none. A name that banks give only there is
 * told by how such a line ends, since a shop has a slash, too (`VISA DEBIT CVS/PHARMACY`).
 */
function behindProduct({ texts, starts, ends }: Tokens, text: string, start: number): number {
  let first = start
  if (networks.has(texts[first] ?? '')) first += 1
  if (isWay(texts[first])) first += 1
  if (!isWay(texts[first - 1]) || !networks.has(texts[first - 2] ?? '')) return start
  for (let at = first; at < Math.min(first + mostProductWords, texts.length - 1); at += 1) {
    const slash = ends[at] ?? 0
    if (text[slash] !== '/' || starts[at + 1] !== slash + 1) continue
    return products.has(texts[at] ?? '') || cardsTail.test(text) ? at + 1 : start
  }
  return start
}

const isWay = (word: string | undefined) => word === 'debit' || word === 'credit'

const fewestWords = 2

/** The token behind a run of words that only banks use, one of which says that something was bought; `start`: none. */
function behindRun(tokens: Tokens, start: number): number {
  const { texts } = tokens
  let words = 0
  let isTold = false
  let at = start
  while (at < texts.length) {
    const role = bankWords.get(texts[at] ?? '')
    if (role !== undefined) {
      words += 1
      if (role === 'tells') isTold = true
      at += 1
      continue
    }
    const next = words === 0 ? at : Math.max(behindNumbers(tokens, at), behindCashBack(tokens, at))
    if (next === at) break
    at = next
  }
  if (words < fewestWords || !isTold || at >= texts.length) return start
  // Its last word may begin a phrase (`POS PURCHASE MERCHANT NAME: SHOP`).
  at = Math.max(at, at - 1 + phraseAt(bankPrefixes, texts, at - 1, texts.length))
  if (at >= texts.length) return start
  // Names begin with some of these words, too (`IN N OUT`).
  while (opensName.has(texts[at - 1] ?? '')) at -= 1
  return at
}

const opensName: ReadonlySet<string> = new Set(['in', 'the'])

// `CASH BACK $ 20.00`, of a purchase; cash alone is none.
function behindCashBack({ texts, gaps }: Tokens, start: number): number {
  if (texts[start] !== 'cash' || texts[start + 1] !== 'back') return start
  const isAmount = isNumeric(texts[start + 2] ?? '') && texts[start + 3]?.length === 2 && gaps[start + 3] === 'mark'
  return isAmount && isNumeric(texts[start + 3] ?? '') ? start + 4 : start + 2
}

const fewestMaskDigits = 4

// `12/31 07:54P`, `#0123`, `XXXX`. A short number may begin the merchant's name (`7-ELEVEN`, `99 RANCH`).
function behindNumbers(tokens: Tokens, start: number): number {
  const { texts, gaps } = tokens
  const dated = behindDates(tokens, start)
  if (dated > start) return (texts[dated] ?? '').length <= 2 && gaps[dated] === 'glued' ? dated + 1 : dated
  const isMask = isNumeric(texts[start] ?? '') && (texts[start] ?? '').length >= fewestMaskDigits
  if (isMask && gaps[start + 1] !== 'glued') return start + 1
  return gaps[start] === 'hash' ? behindReference(tokens, start, { parts: 2, length: 8 }) : start
}

// `2469216AD2YMLKAPM XFINITY`: the acquirer's reference, letters and digits by turns. `1800CONTACTS` turns once only.
function behindAcquirer(tokens: Tokens): number {
  const isLong = isNumeric(tokens.texts[0] ?? '') && (tokens.texts[0] ?? '').length >= fewestMaskDigits
  return isLong && tokens.gaps[1] === 'glued' ? behindReference(tokens, 0, { parts: 3, length: 12 }) : 0
}

/** The token behind letters and digits in one piece, if there are enough of them to be a reference. */
function behindReference(
  { texts, gaps, starts, ends }: Tokens,
  start: number,
  least: { readonly parts: number; readonly length: number },
): number {
  let at = start + 1
  while (gaps[at] === 'glued') at += 1
  const length = (ends[at - 1] ?? 0) - (starts[start] ?? 0)
  return at - start >= least.parts && length >= least.length && at < texts.length ? at : start
}

// `03/04`, `XX/XX` and `01:26`: two short numbers with a sign between them; `03/04 @ 01:26` are two such pairs.
function behindDates({ texts, gaps }: Tokens, start: number): number {
  let at = start
  while (isDatePart(texts[at]) && isDatePart(texts[at + 1]) && gaps[at + 1] === 'mark' && at + 2 < texts.length) {
    // Behind the day no time has one digit twice; a name may (`4-5 STAR MARKET`).
    if (isNumeric(texts[at - 1] ?? '') && texts[at]?.length === 1 && texts[at + 1]?.length === 1) break
    at += 2
    const isTime = isDatePart(texts[at + 1]) && gaps[at + 1] === 'mark'
    if (isDatePart(texts[at]) && gaps[at] === 'mark' && !isTime && at + 1 < texts.length) at += 1
  }
  return at
}

const isDatePart = (text: string | undefined) =>
  text !== undefined && text.length <= 2 && (isNumeric(text) || text === 'xx')

// `D0123 SHOP`: a letter for the card and its last four digits.
function behindCard({ texts, gaps }: Tokens, start: number): number {
  const isCard =
    texts[start]?.length === 1 &&
    gaps[start + 1] === 'glued' &&
    texts[start + 1]?.length === fewestMaskDigits &&
    gaps[start + 2] === 'space'
  return isCard && isNumeric(texts[start + 1] ?? '') ? start + 2 : start
}
