import { lookUp } from '../../../platform/sharded-map.ts'
import type { BrandEntry, BrandIndex, Owner } from '../brands/brand-index.ts'
import { isBusiness } from '../packs/businesses.ts'
import { isPlain } from '../packs/words.ts'
import type { Circumstance, Hit } from '../search.ts'
import { tokenize } from '../text/tokens.ts'
import type { UnmatchedReason } from '../types.ts'
import type { Trailing } from './trailing-text.ts'

// Rates how far a name can be trusted. Rewarding the wrong brand costs more than missing a purchase, so a name alone
// suffices only if it cannot mean any other brand. All other names need supporting evidence, such as a store number, a
// place, the category or the brand's site. Likely matches are proposed to a person.

/** The evidence in the purchase and the text other than the name. */
export type Support = Circumstance & {
  readonly isAfterUnknownPrefix: boolean
  /**
   * Evidence that the name was cut off: the text has the length at which networks or tills truncate names, or the name
   * stops at a number, a column or the end of the text.
   */
  readonly cut: 'by length' | 'by till' | 'by break' | null
  /** The last word of the name as printed. */
  readonly lastWord: string
  /** True if a dash separates the name from the text after it. */
  readonly isDashed: boolean
  /** True if the text indicates that a bill or a card balance was paid. */
  readonly isPayment: boolean
  /** True if the money moved from account to account. */
  readonly isEntry: boolean
  /** True if the processor serves mostly small businesses. */
  readonly isSmall: boolean
  /** True if a legal form follows the name. Chain stores do not print it. */
  readonly isCompany: boolean
  /** The trade that follows a one-word name after a processor for small businesses; empty if none. */
  readonly tradeAfter: string
  /** True if nothing follows the name. */
  readonly isAlone: boolean
}

/** `score` ranges from 0 to 1. `reason` explains why the match is not automatic. */
export type Score = { readonly score: number; readonly reason: UnmatchedReason | null }

export const automaticFrom = 0.9
export const reviewFrom = 0.5

const unconfirmed = (score: number): Score => ({ score, reason: 'name_unconfirmed' })
const sure = (score: number): Score => ({ score, reason: null })

/** Scores how certain it is that this owner of the name was paid. */
export function scoreOwner(index: BrandIndex, hit: Hit, owner: Owner, trailing: Trailing, support: Support): Score {
  if (support.site.includes(owner.entry)) return sure(0.99)
  const fit = compareMcc(owner.entry, support.mcc)
  const scored = scoreName(index, { hit, owner, trailing, support, fit })
  const isHeld = scored.score >= automaticFrom && fit !== 'agrees' && isDoubtful(owner, trailing, support)
  return isHeld ? unconfirmed(0.6) : scored
}

type OwnedName = {
  readonly hit: Hit
  readonly owner: Owner
  readonly trailing: Trailing
  readonly support: Support
  readonly fit: Fit
}

function scoreName(index: BrandIndex, named: OwnedName): Score {
  const { hit, owner, trailing, support, fit } = named
  const { entry, kind } = owner
  const isDistinct = owner.risk === 'distinct'
  const { mccs } = entry.market
  if (fit === 'differs') return { score: isDistinct && trailing !== 'foreign' ? 0.6 : 0.3, reason: 'mcc_conflict' }
  if (support.isPayment ? !isBusiness('biller', mccs) : support.isEntry && isLender(mccs))
    return { score: 0.5, reason: 'not_a_purchase' }
  if (trailing === 'foreign') return unconfirmed(fit === 'agrees' ? 0.7 : isDistinct && !entry.isNameOnly ? 0.55 : 0.3)
  if (hit.strategy === 'misspelt') return unconfirmed(0.55)
  if (hit.strategy === 'truncated') return scoreTruncated(named)
  if (hit.strategy === 'after_owner' || hit.strategy === 'after_airport')
    return support.contradicted || entry.isNameOnly ? unconfirmed(0.6) : sure(0.91)
  if (hit.strategy === 'without_vowels') return scoreWithoutVowels(named)
  // In a long list of codes, one shared code proves little.
  const agrees = fit === 'agrees' && mccs.length <= mostTellingCodes
  if (entry.isNameOnly) return scoreNameOnly(index, named, agrees)
  if (kind === 'exact' && trailing !== 'end' && trailing !== 'number' && trailing !== 'place') return unconfirmed(0.5)
  if (support.contradicted && !isDistinct) return unconfirmed(0.55)
  const base = scores[trailing]
  return isDistinct ? scoreDistinct(named, base, agrees) : scorePlain(named, base, agrees)
}

/** Returns true if the text contains the name but likely means something else. A matching category overrides this. */
function isDoubtful({ entry, risk }: Owner, trailing: Trailing, support: Support): boolean {
  // A bank's name without anything else means a transfer to an account, a loan or a card.
  if ((trailing === 'open' || support.isAlone) && isBusiness('bank', entry.market.mccs)) return true
  // After a processor for small businesses, a plain word is more likely the business's own name, and so is any word
  // before a trade.
  const isBeforeTrade = support.tradeAfter !== '' && !entry.words.includes(support.tradeAfter)
  const isPlainName = risk === 'word' || (risk === 'phrase' && support.isCompany)
  return support.isSmall && (isPlainName || isBeforeTrade) && trailing !== 'number' && !support.storeNumber
}

const mostTellingCodes = 12

const scores: Record<Exclude<Trailing, 'foreign'>, number> = {
  number: 0.97,
  end: 0.96,
  place: 0.96,
  detail: 0.95,
  counted: 0.94,
  town: 0.93,
  open: 0.92,
}

const fewestLoneLetters = 6

/** Scores a name that no other brand has. */
function scoreDistinct({ hit, owner, trailing, support }: OwnedName, base: number, agrees: boolean): Score {
  const { entry } = owner
  if (agrees) return sure(base + 0.02)
  if (owner.kind === 'short') return scoreShort(entry, trailing, support)
  const isLone = hit.to - hit.from === 1 && hit.form.length < fewestLoneLetters && !entry.isWellKnown
  const isDoubtful =
    trailing === 'open'
      ? isLone || support.isAfterUnknownPrefix
      : trailing === 'place' && isLone && isOutside(entry, support.state)
  return isDoubtful ? unconfirmed(0.7) : sure(base)
}

/** Scores a name without its trade, or with a final s dropped or added. Mostly numbered stores print such names. */
function scoreShort(entry: BrandEntry, trailing: Trailing, support: Support): Score {
  if (trailing === 'number' || support.storeNumber) return sure(0.92)
  if (entry.isWellKnown && (trailing === 'end' || trailing === 'place' || trailing === 'detail')) return sure(0.9)
  return unconfirmed(trailing === 'open' ? 0.5 : 0.65)
}

// Two or three letters before a star are more often a processor's code than a name.
const longestCode = 3

/** Scores one or more plain words, or a short name. */
function scorePlain({ hit, owner, trailing, support }: OwnedName, base: number, agrees: boolean): Score {
  const { entry } = owner
  const isPhrase = owner.risk === 'phrase'
  if (agrees) return sure(trailing === 'open' ? 0.9 : base)
  const isCode = hit.form.length <= longestCode && (trailing === 'detail' || support.isAfterUnknownPrefix)
  const isInitials = hit.form.length < longestCode && hit.form !== entry.form && trailing === 'end'
  if (isCode || isInitials) return unconfirmed(0.5)
  if (owner.kind === 'short')
    return trailing === 'number' && (entry.isWellKnown || isPhrase) ? sure(0.91) : unconfirmed(0.5)
  if (trailing === 'number' || (support.storeNumber && trailing !== 'open')) return sure(scores.number)
  if (trailing === 'counted') return isPhrase ? sure(0.91) : unconfirmed(0.6)
  if (trailing === 'town' && (entry.isWellKnown || isPhrase)) return sure(0.91)
  // Chains print a store's location after a dash (`WENDY'S-LEMAY`, `76 - VILLAGE SERVICE`).
  const isDashed = support.isDashed && !support.isAfterUnknownPrefix
  if (isDashed && trailing === 'open' && entry.isWellKnown) return sure(0.9)
  if (trailing === 'open' || trailing === 'town') return unconfirmed(entry.isWellKnown || isPhrase ? 0.55 : 0.4)
  if (entry.isWellKnown || support.cleaned) return sure(base)
  return isOutside(entry, support.state) ? unconfirmed(0.6) : sure(0.91)
}

/**
 * Scores a brand known only by its name. Other businesses may share the name, so it needs a matching category, a store
 * number, or a rare word in a name that is cleaned or followed only by a place.
 */
function scoreNameOnly(index: BrandIndex, { owner, trailing, support }: OwnedName, agrees: boolean): Score {
  if (owner.kind !== 'name' && owner.kind !== 'alias') return unconfirmed(0.4)
  if (trailing !== 'number' && trailing !== 'end' && trailing !== 'place') return unconfirmed(agrees ? 0.6 : 0.3)
  if (agrees) return sure(0.93)
  if (isOutside(owner.entry, support.state)) return unconfirmed(0.5)
  const isDistinct = owner.risk === 'distinct'
  if (trailing === 'number' || support.storeNumber) return isDistinct ? sure(0.92) : unconfirmed(0.6)
  const isWhole = support.cleaned || trailing === 'place'
  return isDistinct && isWhole && hasRareWord(index, owner.entry) ? sure(0.9) : unconfirmed(0.6)
}

const fewBrands = 3

function hasRareWord(index: BrandIndex, { facts }: BrandEntry): boolean {
  return tokenize(facts.name.toLowerCase()).texts.some(
    (word) => word.length > 3 && !isPlain(word) && (lookUp(index.wordCounts, word) ?? 0) <= fewBrands,
  )
}

/** Scores a truncated name, which is trusted only with evidence that it was cut off. */
function scoreTruncated({ owner: { entry, risk }, trailing, support }: OwnedName): Score {
  const { cut } = support
  if (trailing === 'open' || (trailing === 'counted' && !entry.isWellKnown) || cut === null) return unconfirmed(0.6)
  if (cut === 'by till' && trailing !== 'place' && trailing !== 'number') return unconfirmed(0.6)
  // A whole word at the end is more likely a shorter name than a truncated one.
  if (cut !== 'by length' && entry.words.includes(support.lastWord)) return unconfirmed(0.55)
  return support.contradicted || support.isAfterUnknownPrefix || risk === 'word' ? unconfirmed(0.6) : sure(0.91)
}

const fewestLettersWithoutVowels = 7

/**
 * Scores a name without vowels. It is trusted only before a store number, and only if the packs list the brand or the
 * name is long and distinct.
 */
function scoreWithoutVowels({ hit, owner: { entry, kind, risk }, trailing, support }: OwnedName): Score {
  const isLong = kind === 'name' && risk === 'distinct' && hit.form.length >= fewestLettersWithoutVowels
  const isNumbered = trailing === 'number' || (trailing === 'counted' && entry.isWellKnown)
  const isSure = isNumbered && (isLong || entry.isWellKnown)
  return isSure && !support.contradicted && !support.isAfterUnknownPrefix ? sure(0.91) : unconfirmed(0.6)
}

const isOutside = ({ market: { states } }: BrandEntry, state: string) =>
  states !== null && state !== '' && !states.has(state)

/** Transfers to banks and automakers are loan payments. */
const isLender = (mccs: readonly string[]) => isBusiness('bank', mccs) || isBusiness('carMaker', mccs)

type Fit = 'agrees' | 'differs' | 'unknown'

/** Compares the purchase's category code with the brand's. */
export function compareMcc({ market: { mccs } }: BrandEntry, mcc: string | undefined): Fit {
  if (mcc === undefined || mcc === '' || mccs.length === 0) return 'unknown'
  if (mccs.includes(mcc)) return 'agrees'
  const general = generalMcc(mcc)
  return generalCodes.has(general) && mccs.some((known) => generalMcc(known) === general) ? 'agrees' : 'differs'
}

const generalCodes: ReadonlySet<string> = new Set(['4511', '7512', '7011'])

/**
 * Returns the general code. Individual airlines, car rental companies and hotels have their own codes, but brands list
 * the general one.
 */
function generalMcc(mcc: string): string {
  if (mcc < '3000' || mcc > '3999') return mcc
  return mcc <= '3350' ? '4511' : mcc <= '3500' ? '7512' : '7011'
}
