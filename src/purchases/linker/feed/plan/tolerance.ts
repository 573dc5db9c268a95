import { getExponent } from '../../../../platform/money.ts'

/** The deviation allowed between a posted amount and its hold, as a percentage of the hold. */
type Span = { readonly below: bigint; readonly above: bigint }

const TIPPED: Span = { below: 5n, above: 30n }
// Nights are added, or a deposit is returned.
const STAYS: Span = { below: 50n, above: 50n }
// Goods are weighed or out of stock.
const GROCERIES: Span = { below: 20n, above: 10n }
// Currency conversion by the bank.
const OTHERS: Span = { below: 2n, above: 2n }

const SPANS: readonly { readonly mcc: RegExp; readonly category: RegExp | null; readonly span: Span }[] = [
  { mcc: /^(3[3-9]\d\d|7011|7012|7032|7033|7512|7513|7519)$/, category: /^TRAVEL$/, span: STAYS },
  { mcc: /^(5411|5422|5499)$/, category: null, span: GROCERIES },
  {
    mcc: /^(581[1-4]|7230|7297|7298|4121|7542)$/,
    category: /^(FOOD_AND_DRINK|PERSONAL_CARE|TRANSPORTATION)$/,
    span: TIPPED,
  },
]
const FUEL_MCC = /^(5541|5542)$/

/**
 * Returns true if a posting of this amount can belong to a hold. Bar bills include tips. Fuel pumps hold a token amount
 * or far too much.
 */
export function isWithinTolerance(
  category: string | null,
  mcc: string | null,
  held: bigint,
  posted: bigint,
  currency: string,
): boolean {
  if (held === posted) return true
  const one = 10n ** BigInt(getExponent(currency))
  const isFuel = mcc === null ? category === 'TRANSPORTATION' : FUEL_MCC.test(mcc)
  if (isFuel && (held === one || held >= 100n * one)) return true
  const { below, above } = findSpan(category ?? '', mcc)
  return posted * 100n >= held * (100n - below) && posted * 100n <= held * (100n + above)
}

/** Looks up the tolerance by merchant category code or, without one, by the provider's category. */
function findSpan(category: string, mcc: string | null): Span {
  const found = SPANS.find((one) => (mcc === null ? one.category?.test(category) === true : one.mcc.test(mcc)))
  return found?.span ?? OTHERS
}
