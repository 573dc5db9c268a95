// Money is a bigint of minor units of a currency that the caller knows; rates are integers, parts per million. JSON
// numbers are converted to money and back here only.

export const PPM = 1_000_000n

/** The largest accepted amount in major units: far above any purchase, and exact to the cent in a double. */
export const AMOUNT_MAX = 9_999_999_999.99

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Whether it is an ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

const exponents = new Map<string, number>()

/** The number of decimals of a currency: 2 for USD, 0 for JPY. Amounts of the interface have at most two. */
export function exponentOf(currency: string): number {
  const known = exponents.get(currency)
  if (known !== undefined) return known
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  exponents.set(currency, digits)
  return digits
}

/**
 * The minor units of a decimal, or null when it has more decimals than the currency. Works on the shortest decimal text
 * of the number, without floating-point arithmetic.
 */
export function toMinor(value: number | string, currency: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typeof value === 'number' ? String(value) : value.trim())
  if (match === null) return null
  const exponent = exponentOf(currency)
  const decimals = (match[3] ?? '').replace(/0+$/, '')
  if (decimals.length > exponent) return null
  const minor = BigInt((match[2] ?? '0') + decimals.padEnd(exponent, '0'))
  return match[1] === '-' ? -minor : minor
}

/** The first amount such as 1.000, which may be a thousand, unless an amount proves the point to be a decimal mark. */
export function findGrouped(amounts: readonly string[]): string | null {
  const isProven = amounts.some((text) => /\.(?:\d{1,2}|\d{4,})$/.test(text))
  return isProven ? null : (amounts.find((text) => /^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) ?? null)
}

/** The minor units of a decimal text, rounded half away from zero; null when it is none. */
export function toMinorRounded(text: string, currency: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return null
  const exponent = exponentOf(currency)
  const decimals = (match[3] ?? '').padEnd(exponent + 1, '0')
  const cut = BigInt((match[2] ?? '0') + decimals.slice(0, exponent))
  const minor = (decimals[exponent] ?? '0') >= '5' ? cut + 1n : cut
  return match[1] === '-' ? -minor : minor
}

/** The decimal text of an amount, with all decimals of its currency: 1234n USD is "12.34". */
export function decimalText(minor: bigint, currency: string): string {
  const exponent = exponentOf(currency)
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const text = exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`
  return minor < 0n ? `-${text}` : text
}

/**
 * The JSON number of an amount: the double nearest to its exact decimal, which prints with at most two decimals. If a
 * double holds the minor units exactly, dividing by a power of ten gives that double too (IEEE 754 rounds once).
 */
export function toJsonNumber(minor: bigint, currency: string): number {
  const units = Number(minor)
  return Number.isSafeInteger(units) ? units / 10 ** exponentOf(currency) : Number(decimalText(minor, currency))
}

/**
 * Minor units from a product of minor units and parts per million, or a sum of such products, rounded half away from
 * zero.
 */
export function roundHalfUp(product: bigint): bigint {
  const half = PPM / 2n
  return product >= 0n ? (product + half) / PPM : -((-product + half) / PPM)
}

/** The exact decimal text of an unrounded product of minor units and parts per million. */
export function productText(product: bigint, currency: string): string {
  if (product % PPM === 0n) return decimalText(product / PPM, currency)
  const digits = exponentOf(currency) + 6
  const text = (product < 0n ? -product : product).toString().padStart(digits + 1, '0')
  const decimals = text.slice(-digits).replace(/0+$/, '').padEnd(exponentOf(currency), '0')
  const whole = text.slice(0, -digits)
  return `${product < 0n ? '-' : ''}${decimals === '' ? whole : `${whole}.${decimals}`}`
}

/**
 * Divides a total in proportion to amounts, exactly: shares are rounded down, and the remaining minor units go to the
 * largest remainders, of equal ones to the first. A total up to the sum of the amounts never exceeds one of them.
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

/** amount × rate, rounded down; for amounts of zero or more. */
export function shareFloor(minor: bigint, ratePpm: bigint): bigint {
  return (minor * ratePpm) / PPM
}

/** A percentage as parts per million (5.25 is 52500), or null when it has more than four decimals. */
export function percentToPpm(percent: number): number | null {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(String(percent))
  return match === null ? null : Number(match[1]) * 10_000 + Number((match[2] ?? '').padEnd(4, '0'))
}

/** Parts per million as a percentage for display: 52500 is 5.25. */
export function ppmToPercent(ppm: number): number {
  return ppm / 10_000
}
