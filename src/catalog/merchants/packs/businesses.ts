import pack from './businesses.json' with { type: 'json' }
import categoryPack from './categories.json' with { type: 'json' }

/** The category codes that each kind of store is filed under, keyed by name-suggestion-index tag. */
export const categoryCodes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(categoryPack).map(([tag, codes]) => [tag, codes.split(' ')]),
)

type Codes = { readonly every?: string; readonly some?: string; readonly none?: string }
type Business = keyof typeof pack

const splitCodes = (codes: string | undefined) => codes?.split(' ') ?? []
const rules = new Map(
  Object.entries(pack as Readonly<Record<Business, Codes>>).map(([business, { every, some, none }]) => [
    business as Business,
    { every: splitCodes(every), some: splitCodes(some), none: splitCodes(none) },
  ]),
)

/** Returns true if a brand's category codes are those of this kind of business. */
export function isBusiness(business: Business, mccs: readonly string[]): boolean {
  const rule = rules.get(business)
  if (rule === undefined || mccs.length === 0) return false
  const isListed = (code: string) => mccs.includes(code)
  return rule.every.every(isListed) && (rule.some.length === 0 || rule.some.some(isListed)) && !rule.none.some(isListed)
}
