import pack from '../packs/bank-words.json' with { type: 'json' }
import { fold, tokenize } from './tokens.ts'

/** Phrases of one or more tokens, keyed by their first token, longest first. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

export const bankPrefixes = indexPhrases(pack.before)
export const bankSuffixes = indexPhrases(pack.after)
export const neverPhrases = indexPhrases(pack.never)
export const paymentPhrases = indexPhrases(pack.payments)

/** Words that banks print around a merchant in any order. Some of them indicate a purchase by themselves. */
export const bankWords: ReadonlyMap<string, 'purchase' | 'neutral'> = new Map([
  ...pack.words.map((word) => [word, 'neutral'] as const),
  ...pack.telling.map((word) => [word, 'purchase'] as const),
])

export const networks: ReadonlySet<string> = new Set(pack.networks)
/** The names of banks' card products. */
export const cardProducts: ReadonlySet<string> = new Set(pack.cardProducts)
/** Words that indicate a transfer from account to account. */
export const entryWords: ReadonlySet<string> = new Set(pack.entries)
/** Phrases that wallets and banks append to the merchant's field without a space. */
export const gluedPhrases: readonly string[] = pack.glued
/** The words brokers print after the company whose shares were traded. */
export const shareTrades: ReadonlySet<string> = new Set(pack.shareTrades.map((word) => ` - ${word}`))

function indexPhrases(list: readonly string[]): Phrases {
  const phrases = list.map((phrase) => tokenize(fold(phrase)).texts).sort((one, other) => other.length - one.length)
  return Map.groupBy(phrases, ([first]) => first ?? '')
}

const prefixStarts: ReadonlySet<string> = new Set([...bankPrefixes.keys(), ...bankWords.keys(), ...networks])

/** Returns true if the word begins text that banks print before the merchant. */
export const startsBankPrefix = (word: string) => prefixStarts.has(word)

const phraseStarts: ReadonlySet<string> = new Set(
  [bankSuffixes, neverPhrases, paymentPhrases].flatMap((phrases) => [...phrases.keys()]),
)

/** Returns true if the word begins a phrase that may follow the start of a merchant's field. */
export const startsPhrase = (word: string) => phraseStarts.has(word)

/** Returns the number of tokens in the longest phrase that matches at `at`; 0 if none matches. */
export function matchPhraseAt(phrases: Phrases, texts: readonly string[], at: number, end: number): number {
  const isAt = (phrase: readonly string[]) =>
    at + phrase.length <= end && phrase.every((word, offset) => texts[at + offset] === word)
  return phrases.get(texts[at] ?? '')?.find(isAt)?.length ?? 0
}
