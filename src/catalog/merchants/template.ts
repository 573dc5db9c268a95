import { parseDescriptor } from './descriptor/parse.ts'
import { findKnownCityStart, findLocation } from './places/printed-location.ts'
import { fold, isNumeric, type Tokens } from './text/tokens.ts'
import type { MerchantFacts } from './types.ts'

/**
 * Returns the key for storing a person's answer about this merchant. It is the same for all stores of a merchant, so it
 * leaves out digits, dates, masks, store numbers and the place. Null if nothing is left.
 */
export function deriveTemplate(facts: MerchantFacts): string | null {
  const text = [facts.merchantDescriptor, facts.merchantName].find(
    (value) => value !== undefined && value.trim() !== '',
  )
  if (text === undefined) return null
  const { tokens, readings, field, end } = parseDescriptor(fold(text))
  const [first] = readings
  // A processor serves many merchants. A marketplace is the payee, so it stays in the key.
  const start = first?.prefix?.means === 'processor' ? first.from : field
  const words = collectWords(tokens, start, endOfName(tokens, start, end, facts))
  return words.length === 0 ? null : words.join(' ')
}

/** Returns the key for the linking provider's merchant id. */
export function toProviderKey(providerMerchantId: string): string {
  return `provider:${providerMerchantId}`
}

function endOfName(tokens: Tokens, start: number, end: number, facts: MerchantFacts): number {
  const location = findLocation(tokens, start, end, facts.city)
  const cityAt = findKnownCityStart(tokens, start + 1, end, location)
  return cityAt > start ? cityAt : (location.place?.at ?? end)
}

const shortestStoreNumber = 3

// The text after a store number is the place. Shorter numbers may be part of a name and are merely skipped.
function collectWords({ texts, gaps }: Tokens, start: number, end: number): string[] {
  const words: string[] = []
  for (let at = start; at < end; at += 1) {
    const text = texts[at] ?? ''
    if (isNumeric(text) || text === 'xx') {
      if (words.length > 0 && (text.length >= shortestStoreNumber || gaps[at] === 'hash')) break
      continue
    }
    // Letters run together with digits are a code: a register, an order, a ride.
    const isCode = gaps[at] === 'glued' || (text.length <= 2 && gaps[at + 1] === 'glued')
    if (!isCode) words.push(text)
  }
  return words
}
