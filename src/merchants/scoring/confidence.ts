import { lookUp } from '../../platform/sharded-map.ts'
import type { BrandIndex, Entry, Owner } from '../brands/brand-index.ts'
import type { Hit } from '../names/find-name.ts'
import { isPlain } from '../packs/words.ts'
import { tokenize } from '../text/tokens.ts'
import type { UnmatchedReason } from '../types.ts'
import type { Trailing } from './trailing-text.ts'

// How far a name can be trusted. A reward for the wrong brand costs more than an unmatched purchase, so a name alone
// is enough only where nobody else can be meant; everything else needs support: a store number, a place, the category,
// the brand's site. What is likely is proposed to a person.

/** What the purchase says apart from the name. */
export type Support = {
  readonly mcc: string | undefined
  /** The brands that share the purchase's website. */
  readonly site: readonly Entry[]
  readonly state: string
  /** The text is a name that somebody cleaned, not what a till printed. */
  readonly cleaned: boolean
  /** The cleaned name said somebody else. */
  readonly contradicted: boolean
  readonly isAfterUnknownPrefix: boolean
  /** The text has the length to which networks cut, or some tills; or a number, its column or the end breaks it off. */
  readonly cut: 'by length' | 'by till' | 'by break' | null
  /** The last word of what was found. */
  readonly lastWord: string
  readonly storeNumber: boolean
  /** A dash stands between the name and what follows. */
  readonly isDashed: boolean
  /** The text says that a bill or a card was paid. */
  readonly isPayment: boolean
  /** The money went from account to account. */
  readonly isEntry: boolean
  /** Someone passes the money on who mostly serves small shops. */
  readonly isSmall: boolean
  /** A company's form stands behind the name: a chain's shop does not print it. */
  readonly isCompany: boolean
  /** The trade that follows a name of one word behind such a processor; empty: none. */
  readonly tradeBehind: string
  /** Nothing follows the name. */
  readonly isAlone: boolean
}

export type Score = { readonly score: number; readonly reason: UnmatchedReason | null }

export const automaticFrom = 0.9
export const reviewFrom = 0.5

const unconfirmed = (score: number): Score => ({ score, reason: 'name_unconfirmed' })
const sure = (score: number): Score => ({ score, reason: null })

/** How sure it is that this owner of the name is who was paid. */
export function scoreOwner(index: BrandIndex, hit: Hit, owner: Owner, rest: Trailing, support: Support): Score {
  if (support.site.includes(owner.entry)) return sure(0.99)
  const fit = mccFit(owner.entry, support.mcc)
  const judged = judgeName(index, hit, owner, rest, support, fit)
  const isHeld = judged.score >= automaticFrom && fit !== 'agrees' && isDoubtful(owner, rest, support)
  return isHeld ? unconfirmed(0.6) : judged
}

function judgeName(index: BrandIndex, hit: Hit, owner: Owner, rest: Trailing, support: Support, fit: Fit): Score {
  const { entry } = owner
  if (fit === 'differs')
    return { score: owner.risk === 'distinct' && rest !== 'foreign' ? 0.6 : 0.3, reason: 'mcc_conflict' }
  if (support.isPayment ? !isBiller(entry) : support.isEntry && isLender(entry))
    return { score: 0.5, reason: 'not_a_purchase' }
  if (rest === 'foreign')
    return unconfirmed(fit === 'agrees' ? 0.7 : owner.risk === 'distinct' && !entry.isNameOnly ? 0.55 : 0.3)
  if (hit.how === 'near') return unconfirmed(0.55)
  if (hit.how === 'cut') return judgeCut(owner, rest, support)
  if (hit.how === 'behind') return support.contradicted || entry.isNameOnly ? unconfirmed(0.6) : sure(0.91)
  if (hit.how === 'bare') return judgeBare(hit, owner, rest, support)
  // Catalogs list codes generously; of a long list one shared code proves little.
  const agrees = fit === 'agrees' && entry.facts.mccs.length <= mostTellingCodes
  if (entry.isNameOnly) return judgeTail(index, owner, rest, support, agrees)
  if (owner.kind === 'exact' && rest !== 'end' && rest !== 'number' && rest !== 'place') return unconfirmed(0.5)
  if (support.contradicted && owner.risk !== 'distinct') return unconfirmed(0.55)
  return owner.risk === 'distinct'
    ? judgeDistinct(hit, owner, rest, support, agrees)
    : judgePlain(hit, owner, rest, support, agrees)
}

// What the text says so is likely not what it seems to say, unless the category tells that it is.
function isDoubtful({ entry, risk }: Owner, rest: Trailing, support: Support): boolean {
  // A bank's name and no more says that an account, a loan or a card moved.
  if ((rest === 'open' || support.isAlone) && isBank(entry)) return true
  // Behind a small shop's till a plain word is rather that shop's own name, and so is any word before a trade.
  const isBeforeTrade = support.tradeBehind !== '' && !entry.words.includes(support.tradeBehind)
  const isPlainName = risk === 'word' || (risk === 'phrase' && support.isCompany)
  return support.isSmall && (isPlainName || isBeforeTrade) && rest !== 'number' && !support.storeNumber
}

const mostTellingCodes = 12

const scores: Record<Exclude<Trailing, 'foreign'>, number> = {
  number: 0.97,
  end: 0.96,
  place: 0.96,
  detail: 0.95,
  town: 0.93,
  counted: 0.94,
  open: 0.92,
}

const fewestLoneLetters = 6

function judgeDistinct(
  hit: Hit,
  owner: Owner,
  rest: Exclude<Trailing, 'foreign'>,
  support: Support,
  agrees: boolean,
): Score {
  const { entry, kind } = owner
  if (agrees) return sure(scores[rest] + 0.02)
  if (kind === 'short') return judgeShort(owner, rest, support)
  const isLone = hit.to - hit.from === 1 && hit.form.length < fewestLoneLetters && !entry.isWellKnown
  if (rest === 'open' && (isLone || support.isAfterUnknownPrefix)) return unconfirmed(0.7)
  if (rest === 'place' && isLone && isOutside(entry, support.state)) return unconfirmed(0.7)
  return sure(scores[rest])
}

// Without its trade or its s the name is shorter than the brand says it; only a numbered shop says it so.
function judgeShort({ entry }: Owner, rest: Trailing, support: Support): Score {
  if (rest === 'number' || support.storeNumber) return sure(0.92)
  if (entry.isWellKnown && (rest === 'end' || rest === 'place' || rest === 'detail')) return sure(0.9)
  return unconfirmed(rest === 'open' ? 0.5 : 0.65)
}

// A plain word or a short name.
function judgePlain(
  hit: Hit,
  owner: Owner,
  rest: Exclude<Trailing, 'foreign'>,
  support: Support,
  agrees: boolean,
): Score {
  const { entry, risk } = owner
  if (agrees) return sure(rest === 'open' ? 0.9 : scores[rest])
  const code = hit.form.length <= longestCode && (rest === 'detail' || support.isAfterUnknownPrefix)
  const initials = hit.form.length < longestCode && hit.form !== entry.form && rest === 'end'
  if (code || initials) return unconfirmed(0.5)
  if (owner.kind === 'short')
    return rest === 'number' && (entry.isWellKnown || risk === 'phrase') ? sure(0.91) : unconfirmed(0.5)
  if (rest === 'number' || (support.storeNumber && rest !== 'open')) return sure(scores.number)
  if (rest === 'counted') return risk === 'phrase' ? sure(0.91) : unconfirmed(0.6)
  if (rest === 'town' && (entry.isWellKnown || risk === 'phrase')) return sure(0.91)
  // Chains print where the shop is behind a dash (`WENDY'S-LEMAY`, `76 - VILLAGE SERVICE`).
  if (support.isDashed && rest === 'open' && entry.isWellKnown && !support.isAfterUnknownPrefix) return sure(0.9)
  if (rest === 'open' || rest === 'town') return unconfirmed(entry.isWellKnown || risk === 'phrase' ? 0.55 : 0.4)
  if (entry.isWellKnown || support.cleaned) return sure(scores[rest])
  if (isOutside(entry, support.state)) return unconfirmed(0.6)
  return sure(0.91)
}

// Two or three letters before a star are more often a processor's code than a name.
const longestCode = 3

// All that is known is the name. Others may be called so, unless the words are rare and the whole text is the name.
function judgeTail(index: BrandIndex, owner: Owner, rest: Trailing, support: Support, agrees: boolean): Score {
  if (owner.kind !== 'name' && owner.kind !== 'alias') return unconfirmed(0.4)
  if (rest === 'open' || rest === 'town' || rest === 'counted' || rest === 'detail')
    return unconfirmed(agrees ? 0.6 : 0.3)
  if (agrees) return sure(0.93)
  if (isOutside(owner.entry, support.state)) return unconfirmed(0.5)
  const rare = owner.risk === 'distinct' && hasRareWord(index, owner.entry)
  if (rest === 'number' || support.storeNumber) return owner.risk === 'distinct' ? sure(0.92) : unconfirmed(0.6)
  if (rare && (support.cleaned || rest === 'place')) return sure(0.9)
  return unconfirmed(0.6)
}

const fewBrands = 3

function hasRareWord(index: BrandIndex, { facts }: Entry): boolean {
  return tokenize(facts.name.toLowerCase()).texts.some(
    (word) => word.length > 3 && !isPlain(word) && (lookUp(index.wordCounts, word) ?? 0) <= fewBrands,
  )
}

// A name whose end is missing counts where something shows that it was cut.
function judgeCut(owner: Owner, rest: Trailing, support: Support): Score {
  if (rest === 'open' || (rest === 'counted' && !owner.entry.isWellKnown) || support.cut === null)
    return unconfirmed(0.6)
  if (support.cut === 'by till' && rest !== 'place' && rest !== 'number') return unconfirmed(0.6)
  // A whole word at the end is rather a shorter name than a cut one.
  if (support.cut !== 'by length' && owner.entry.words.includes(support.lastWord)) return unconfirmed(0.55)
  if (support.contradicted || support.isAfterUnknownPrefix) return unconfirmed(0.6)
  return owner.risk === 'word' ? unconfirmed(0.6) : sure(0.91)
}

const fewestBareLetters = 7

// A name without vowels counts before the number of a shop, where half the country knows the name or nobody else has one
// like it.
function judgeBare(hit: Hit, { entry, kind, risk }: Owner, rest: Trailing, support: Support): Score {
  if (support.contradicted || support.isAfterUnknownPrefix) return unconfirmed(0.6)
  const isNobodyElses = kind === 'name' && risk === 'distinct' && hit.form.length >= fewestBareLetters
  const isSure = entry.isWellKnown ? rest === 'number' || rest === 'counted' : isNobodyElses && rest === 'number'
  return isSure ? sure(0.91) : unconfirmed(0.6)
}

function isOutside({ states }: Entry, state: string): boolean {
  return states !== null && state !== '' && !states.has(state)
}

export type Fit = 'agrees' | 'differs' | 'unknown'

// Insurers, cable, telephone and power companies are paid by bill; a shop of which a payment is reported has its card paid off.
const billerCodes: ReadonlySet<string> = new Set(['6300', '4899', '4900', '4812', '4816'])
// Insurers share most codes of banks, but not this one.
const bankCode = '6050'
// Nobody but who sells cars has both.
const carCodes = ['5511', '5592']

const isBank = ({ facts }: Entry) => facts.mccs.includes(bankCode)
// From account to account banks and car makers are paid back what they lent.
const isLender = (entry: Entry) => isBank(entry) || carCodes.every((mcc) => entry.facts.mccs.includes(mcc))

/** Whether the brand is paid by bill. */
export const isBiller = (entry: Entry) =>
  entry.facts.mccs.some((mcc) => billerCodes.has(mcc)) && !isBank(entry) && !entry.facts.mccs.includes('5311')

// Single airlines, car rentals and hotels have codes of their own; brands list the general one.
function generalMcc(mcc: string): string {
  if (mcc < '3000' || mcc > '3999') return mcc
  return mcc <= '3350' ? '4511' : mcc <= '3500' ? '7512' : '7011'
}

/** Whether the purchase's category code is one of the brand's. */
export function mccFit({ facts }: Entry, mcc: string | undefined): Fit {
  if (mcc === undefined || mcc === '' || facts.mccs.length === 0) return 'unknown'
  const general = generalMcc(mcc)
  return facts.mccs.some((known) => known === mcc || generalMcc(known) === general) ? 'agrees' : 'differs'
}
