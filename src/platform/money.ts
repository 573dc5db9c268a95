// Money is a bigint of minor units in a currency known to the caller. Rates are integers in parts per million. JSON
// numbers are converted to money and back only here, except that reports write them directly (cells.ts).

export const PPM = 1_000_000n

/** The largest accepted amount in major units: far above any purchase, and exact to the cent in a double. */
export const AMOUNT_MAX = 9_999_999_999.99

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Returns true for an ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

const exponents = new Map<string, number>()

/** Returns the number of decimals of a currency: 2 for USD, 0 for JPY. Amounts in the API have at most two. */
export function getExponent(currency: string): number {
  const known = exponents.get(currency)
  if (known !== undefined) return known
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  exponents.set(currency, digits)
  return digits
}

/**
 * Converts a decimal to minor units; null if it is not a decimal or has more decimals than the currency. Works on the
 * shortest decimal representation of the number, without floating-point arithmetic.
 */
export function toMinor(value: number | string, currency: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typeof value === 'number' ? String(value) : value.trim())
  if (match === null) return null
  const exponent = getExponent(currency)
  const decimals = (match[3] ?? '').replace(/0+$/, '')
  if (decimals.length > exponent) return null
  const minor = BigInt((match[2] ?? '0') + decimals.padEnd(exponent, '0'))
  return match[1] === '-' ? -minor : minor
}

/**
 * Finds the first ambiguous amount, such as 1.000, which could mean a thousand. Returns null if there is none, or if
 * another amount shows that the point is a decimal separator.
 */
export function findGrouped(amounts: readonly string[]): string | null {
  const isProven = amounts.some((text) => /\.(?:\d{1,2}|\d{4,})$/.test(text))
  return isProven ? null : (amounts.find((text) => /^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) ?? null)
}

/** Converts a decimal string to minor units, rounding half away from zero; null if it is not a decimal. */
export function toMinorRounded(text: string, currency: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return null
  const exponent = getExponent(currency)
  const decimals = (match[3] ?? '').padEnd(exponent + 1, '0')
  const cut = BigInt((match[2] ?? '0') + decimals.slice(0, exponent))
  const minor = (decimals[exponent] ?? '0') >= '5' ? cut + 1n : cut
  return match[1] === '-' ? -minor : minor
}

/** Formats an amount with all decimals of its currency: 1234n USD is "12.34". */
export function formatDecimal(minor: bigint, currency: string): string {
  const exponent = getExponent(currency)
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const text = exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`
  return minor < 0n ? `-${text}` : text
}

/**
 * Converts an amount to a JSON number: the double nearest to the exact decimal, which prints with at most two decimals.
 * If a double holds the minor units exactly, dividing by a power of ten yields that double too (IEEE 754 rounds once).
 */
export function toJsonNumber(minor: bigint, currency: string): number {
  const units = Number(minor)
  return Number.isSafeInteger(units) ? units / 10 ** getExponent(currency) : Number(formatDecimal(minor, currency))
}

/**
 * Converts a product of minor units and parts per million, or a sum of such products, to minor units. Rounds half away
 * from zero.
 */
export function roundHalfUp(product: bigint): bigint {
  const half = PPM / 2n
  return product >= 0n ? (product + half) / PPM : -((-product + half) / PPM)
}

/** Formats an unrounded product of minor units and parts per million as an exact decimal string. */
export function formatProduct(product: bigint, currency: string): string {
  if (product % PPM === 0n) return formatDecimal(product / PPM, currency)
  const digits = getExponent(currency) + 6
  const text = (product < 0n ? -product : product).toString().padStart(digits + 1, '0')
  const decimals = text.slice(-digits).replace(/0+$/, '').padEnd(getExponent(currency), '0')
  const whole = text.slice(0, -digits)
  return `${product < 0n ? '-' : ''}${decimals === '' ? whole : `${whole}.${decimals}`}`
}

/**
 * Divides a total exactly in proportion to the amounts. Shares are rounded down, and the remaining minor units go to
 * the largest remainders, with ties going to the first. If the total does not exceed the sum of the amounts, no share
 * exceeds its amount.
 */
export function apportion(total: bigint, over: readonly bigint[]): bigint[] {
  const sum = over.reduce((all, one) => all + one, 0n)
  if (sum === 0n) return over.map(() => 0n)
  const floors = over.map((one) => (total * one) / sum)
  const left = total - floors.reduce((all, one) => all + one, 0n)
  const remainders = over.map((one, index) => ({ index, remainder: (total * one) % sum }))
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  const roundedUp = new Set(remainders.slice(0, Number(left)).map(({ index }) => index))
  return floors.map((floor, index) => (roundedUp.has(index) ? floor + 1n : floor))
}

/** Returns amount × rate, rounded down. Only for non-negative amounts. */
export function floorShare(minor: bigint, ratePpm: bigint): bigint {
  return (minor * ratePpm) / PPM
}

/**
 * Converts a percentage to parts per million (5.25 is 52500); null if it is negative, is 1000 or more, or has more than
 * four decimals.
 */
export function percentToPpm(percent: number): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(String(percent))
  return match === null ? null : Number(match[1]) * 10_000 + Number((match[2] ?? '').padEnd(4, '0'))
}

/** Converts parts per million to a percentage for display: 52500 is 5.25. */
export function ppmToPercent(ppm: number): number {
  return ppm / 10_000
}
