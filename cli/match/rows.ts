import type { BrandMatch, MerchantFacts } from '../../src/catalog/merchants/index.ts'
import { createLineError, type NumberedLine, parseObject } from './lines.ts'

/** A merchant as described in a file, with the id its result will carry. */
type Row = { readonly id: string | number; readonly facts: MerchantFacts }

const FIELDS: readonly (readonly [member: string, fact: keyof MerchantFacts])[] = [
  ['descriptor', 'merchantDescriptor'],
  ['name', 'merchantName'],
  ['merchant_name', 'merchantName'],
  ['website', 'website'],
  ['mcc', 'mcc'],
  ['city', 'city'],
  ['state', 'state'],
  ['country', 'country'],
  ['store_number', 'storeNumber'],
  ['merchant_id', 'merchantId'],
  ['provider_merchant_id', 'providerMerchantId'],
]

/**
 * Parses a row. Unknown fields are ignored.
 * @throws UserError with the file, line and error
 */
export function parseRow(file: string, line: NumberedLine, country: string): Row {
  const members = parseObject(file, line)
  const { id } = members
  if (typeof id !== 'string' && typeof id !== 'number') throw createLineError(file, line.number, 'has no id')
  const facts: { -readonly [fact in keyof MerchantFacts]: MerchantFacts[fact] } = { country }
  for (const [member, fact] of FIELDS) {
    const value = members[member]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' && typeof value !== 'number')
      throw createLineError(file, line.number, `has a value for ${member} that is neither a string nor a number`)
    facts[fact] = String(value)
  }
  return { id, facts }
}

/** Formats a match for programs. In the review band, `brand_id` is only a proposal. */
export function formatAnswer(match: BrandMatch) {
  const { band, score, method, reason, evidence, runnerUp } = match
  return {
    band,
    brand_id: match.brandUid ?? match.proposedUid,
    score,
    method,
    reason,
    evidence,
    runner_up: runnerUp === null ? null : { brand_id: runnerUp.brandUid, score: runnerUp.score },
  }
}
