/** A positive amount in major units with up to two decimals, such as `25` or `25.50`. */
export const AMOUNT = '^(?=.*[1-9])(0|[1-9]\\d{0,8})(\\.\\d{1,2})?$'

export function parseCents(text: string): number {
  const [whole = '', cents = ''] = text.split('.')
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

export function formatCents(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
