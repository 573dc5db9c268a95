import type { BrandMatch } from '../../src/catalog/merchants/index.ts'
import { answer, styled } from '../terminal.ts'

type Shown = {
  readonly match: BrandMatch
  readonly key: string | null
  readonly getName: (brandUid: string) => string
}

const COLOURS = { automatic: 'green', review: 'yellow', none: 'red' } as const

/**
 * Prints a match for people: the brand, the evidence, the runner-up, and the key under which a person's decision would
 * be stored.
 */
export function show({ match, key, getName }: Shown): void {
  const { band, method, evidence, runnerUp } = match
  const label = (uid: string): string => (getName(uid) === uid ? uid : `${getName(uid)} (${uid})`)
  const line = (title: string, text: string): void => answer(`${title.padEnd(10)} ${text}`)
  line('band', styled(COLOURS[band], band) + (match.reason === null ? '' : `: ${REASONS[match.reason]}`))
  const uid = match.brandUid ?? match.proposedUid
  if (uid !== null) line(match.brandUid === null ? 'proposal' : 'brand', label(uid))
  if (uid !== null) line('score', `${match.score}, by ${METHODS[method]}`)
  for (const [index, { field, value, matched, kind }] of evidence.entries()) {
    const what = `${field} "${value}": ${matched}${kind === undefined ? '' : ` (${kind})`}`
    line(index === 0 ? 'evidence' : '', what)
  }
  if (runnerUp !== null) line('runner-up', `${label(runnerUp.brandUid)}, ${runnerUp.score}`)
  line('key', key ?? 'none: no part of it stays the same between purchases')
}

const METHODS: Readonly<Record<BrandMatch['method'], string>> = {
  brand_uid: "the brand's own id",
  alias: "a person's decision",
  provider_merchant_id: "a person's decision about the provider's merchant",
  merchant_id: 'the merchant identifier',
  domain: 'the website',
  name: 'the name',
  none: 'nothing',
}

const REASONS: Readonly<Record<NonNullable<BrandMatch['reason']>, string>> = {
  unknown_brand_uid: 'the catalog has no brand with this id',
  no_merchant_facts: 'the purchase has no merchant facts',
  not_a_brand: 'a person decided that it is not a brand in this catalog',
  not_a_purchase: 'it is not a purchase',
  name_unknown: 'no brand has this name',
  name_ambiguous: 'several brands have this name',
  name_unconfirmed: 'the name alone is not enough',
  mcc_conflict: 'the category code belongs to another trade',
}
