import { readingsOf } from './descriptors.ts'
import { fold, isNumeric, tokenize } from './names.ts'
import type { MerchantFacts } from './types.ts'

/**
 * The key under which a person's answer about this merchant is kept: without digits, dates, masks, store numbers and
 * the place. Null: nothing to key by.
 */
export function templateOf(facts: MerchantFacts): string | null {
  const text = facts.merchantDescriptor ?? facts.merchantName
  if (text === undefined) return null
  const folded = fold(text)
  const words = tokenize(readingsOf(folded).at(-1) ?? folded).texts.filter((token) => !isNumeric(token))
  return words.length === 0 ? null : words.join(' ')
}

/** The key of a merchant's id at the linking provider. */
export function providerKeyOf(providerMerchantId: string): string {
  return `provider:${providerMerchantId}`
}
