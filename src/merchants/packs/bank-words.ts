import { fold, tokenize } from '../text/tokens.ts'
import pack from './bank-words.json' with { type: 'json' }

/** Phrases of one or more tokens by their first token, longest first. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

export const bankPrefixes = phrasesOf(pack.before)
export const bankSuffixes = phrasesOf(pack.after)
export const neverPhrases = phrasesOf(pack.never)
export const paymentPhrases = phrasesOf(pack.payments)

/** Words that banks use around a merchant in any order; some say by themselves that something was bought. */
export const bankWords: ReadonlyMap<string, 'purchase' | 'neutral'> = new Map([
  ...pack.words.map((word) => [word, 'neutral'] as const),
  ...pack.telling.map((word) => [word, 'purchase'] as const),
])

export const networks: ReadonlySet<string> = new Set(pack.networks)
/** What banks call their cards. */
export const cardProducts: ReadonlySet<string> = new Set(pack.cardProducts)
/** Words of an entry from account to account. */
export const entryWords: ReadonlySet<string> = new Set(pack.entries)
/** Phrases that wallets and banks print onto the end of the merchant's field without a space. */
export const gluedPhrases: readonly string[] = pack.glued
/** What brokers print after the company whose share was traded. */
export const shareTrades: ReadonlySet<string> = new Set(pack.shareTrades.map((word) => ` - ${word}`))

function phrasesOf(list: readonly string[]): Phrases {
  const phrases = list.map((phrase) => tokenize(fold(phrase)).texts).sort((one, other) => other.length - one.length)
  return Map.groupBy(phrases, ([first]) => first ?? '')
}

const prefixStarts: ReadonlySet<string> = new Set([...bankPrefixes.keys(), ...bankWords.keys(), ...networks])

/** Whether the word begins anything that a bank prints before the merchant. */
export const startsBankPrefix = (word: string) => prefixStarts.has(word)

const phraseStarts: ReadonlySet<string> = new Set(
  [bankSuffixes, neverPhrases, paymentPhrases].flatMap((phrases) => [...phrases.keys()]),
)

/** Whether the word begins a phrase that may follow the start of a merchant's field. */
export const startsPhrase = (word: string) => phraseStarts.has(word)

/** How many tokens from `at` on the longest matching phrase takes; 0: none. */
export function phraseAt(phrases: Phrases, texts: readonly string[], at: number, end: number): number {
  const isAt = (phrase: readonly string[]) =>
    at + phrase.length <= end && phrase.every((word, offset) => texts[at + offset] === word)
  return phrases.get(texts[at] ?? '')?.find(isAt)?.length ?? 0
}
