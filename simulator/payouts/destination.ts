import { PartnerError } from '../partner-error.ts'
import type { Destination } from './state.ts'

/** Rejects well-formed numbers whose check digits are wrong, because no bank issues them. */
export function checkDestination(destination: Destination): void {
  if (destination.type === 'iban') {
    if (isIban(destination.iban)) return
    throw new PartnerError(422, 'destination_invalid', 'the check digits of the IBAN are wrong')
  }
  if (isRoutingNumber(destination.routing_number)) return
  throw new PartnerError(422, 'destination_invalid', 'the check digit of the routing number is wrong')
}

const WEIGHTS = [3, 7, 1] as const

/** True if the weighted sum of the digits is a multiple of ten. */
function isRoutingNumber(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index % 3] ?? 0), 0)
  return sum % 10 === 0
}

/**
 * True if the IBAN is 1 modulo 97 after its first four characters are moved to the end and letters are replaced with
 * numbers (A is 10).
 */
function isIban(iban: string): boolean {
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((character) => Number.parseInt(character, 36)).join('')
  return BigInt(digits) % 97n === 1n
}
