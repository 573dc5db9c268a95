import { toMinor } from '../platform/money.ts'
import { FieldFault } from './errors.ts'

/**
 * Parses an amount typed by a user into minor units. Accepts either a comma or a point as the decimal separator in
 * every language. Rejects thousands separators, because 1,234 would be read as a little over 1.
 * @throws FieldFault amount_unreadable
 */
export function parseAmount(text: string, currency: string, field = 'amount'): bigint {
  const plain = text.trim().replace(',', '.')
  const minor = /^\d{1,12}(\.\d{1,3})?$/.test(plain) ? toMinor(plain, currency) : null
  if (minor === null || minor <= 0n) throw new FieldFault(field, 'amount_unreadable')
  return minor
}
