import { parseDescriptor } from './descriptors.ts'
import { fold, isNumeric, tokenize } from './names.ts'
import { isCityIn } from './packs.ts'
import { placeOf } from './places.ts'
import type { MerchantFacts } from './types.ts'

// TODO
export function templateOf(facts: MerchantFacts): string | null {
  const text = facts.merchantDescriptor ?? facts.merchantName
  if (text === undefined) return null
  const folded = fold(text)
  const { tokens, readings, end } = parseDescriptor(folded)
  const from = readings.at(-1)?.from ?? 0
  const words = tokens.texts.slice(from, end).filter((token) => !isNumeric(token))
  void placeOf
  void isCityIn
  void tokenize
  return words.length === 0 ? null : words.join(' ')
}

/** The key of a merchant's id at the linking provider. */
export function providerKeyOf(providerMerchantId: string): string {
  return `provider:${providerMerchantId}`
}
