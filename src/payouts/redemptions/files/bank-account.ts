import { isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools'
import { isWritable } from './bank-text.ts'

/** The bank account that a user is paid to. Numbers are in transmission format: no spaces, uppercase letters. */
export type PayoutAccount =
  | {
      readonly type: 'us_bank_account'
      readonly holderName: string
      readonly routingNumber: string
      readonly accountNumber: string
      readonly accountType: 'checking' | 'savings'
    }
  | {
      readonly type: 'iban'
      readonly holderName: string
      readonly iban: string
      readonly bic: string | null
    }

type AccountFault = { readonly field: string; readonly message: string }

// The longest name allowed in ISO 20022 messages.
const HOLDER_NAME_MAX = 140
// Excludes control characters, unpaired surrogates, unassigned and private-use characters, and anything that reorders
// or breaks a line.
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u
const ACCOUNT_NUMBER = /^\d{4,17}$/

/** Returns the first reason why no bank would accept the account, or null. */
export function findAccountFault(account: PayoutAccount): AccountFault | null {
  const message = faultOfHolder(account.holderName)
  if (message !== null) return { field: 'holderName', message }
  if (account.type === 'us_bank_account') {
    if (!isRoutingNumber(account.routingNumber)) {
      return { field: 'routingNumber', message: 'is not an ABA routing number' }
    }
    if (!ACCOUNT_NUMBER.test(account.accountNumber)) {
      return { field: 'accountNumber', message: 'must be 4 to 17 digits' }
    }
    return null
  }
  if (!isValidIBAN(account.iban)) return { field: 'iban', message: 'is not a valid IBAN' }
  if (account.bic !== null && !isBic(account.bic)) return { field: 'bic', message: 'is not a valid BIC' }
  return null
}

/**
 * Masks the account, but leaves enough for people to recognize it. Never shows more than half of a US account number.
 */
export function maskAccount(account: PayoutAccount): string {
  if (account.type === 'iban') return `${account.iban.slice(0, SHOWN)} •••• ${account.iban.slice(-SHOWN)}`
  const shown = Math.min(SHOWN, Math.floor(account.accountNumber.length / 2))
  return `${account.accountType} account ••••${account.accountNumber.slice(-shown)}`
}

const SHOWN = 4

/** Returns the account with the member names that partners' files and calls use. */
export function toWire(account: PayoutAccount) {
  const { type, holderName: holder_name } = account
  return account.type === 'iban'
    ? { type, holder_name, iban: account.iban, bic: account.bic }
    : {
        type,
        holder_name,
        routing_number: account.routingNumber,
        account_number: account.accountNumber,
        account_type: account.accountType,
      }
}

/**
 * Returns true for an ABA routing number: nine digits with a valid Federal Reserve prefix and checksum (weights 3, 7
 * and 1).
 */
export function isRoutingNumber(text: string): boolean {
  if (!/^(0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])\d{7}$/.test(text)) return false
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
  return sum % 10 === 0
}

/** Returns true for a BIC in uppercase, as the ISO 20022 schemas require. */
export function isBic(text: string): boolean {
  return text === text.toUpperCase() && isValidBIC(text)
}

// Missing from ibantools. Albania, Moldova, Montenegro and North Macedonia joined SEPA in 2025, Serbia in 2026.
const LATER_IN_SEPA = ['AL', 'MD', 'ME', 'MK', 'RS']

/** Returns true if the account is in SEPA, where the IBAN identifies the bank. */
export function isInSepa(iban: string): boolean {
  const country = iban.slice(0, 2)
  return isSEPACountry(country) || LATER_IN_SEPA.includes(country)
}

function faultOfHolder(name: string): string | null {
  if (name.trim() === '') return 'is empty'
  if (name !== name.trim()) return 'begins or ends with a space'
  if ([...name].length > HOLDER_NAME_MAX) return `is longer than ${HOLDER_NAME_MAX} characters`
  if (!PRINTABLE.test(name)) return 'contains a non-printable character'
  return isWritable(name) ? null : 'contains no letter or digit'
}
