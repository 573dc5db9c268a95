import { isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools'
import { isWritable } from './bank-text.ts'

/** An account at a bank that a user is paid on. Numbers are as banks transmit them: no blanks, letters in upper case. */
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

// The longest name that ISO 20022 messages carry.
const HOLDER_NAME_MAX = 140
// Neither control characters, halves of surrogate pairs and unassigned characters, nor what reorders or breaks a line.
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u
const ACCOUNT_NUMBER = /^\d{4,17}$/

/** The first reason for which no bank would accept the account, or null. The field is named as the type names it. */
export function faultOfAccount(account: PayoutAccount): AccountFault | null {
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

/** The account for people to recognize: never more than half of the account number of a US account. */
export function maskOf(account: PayoutAccount): string {
  if (account.type === 'iban') return `${account.iban.slice(0, SHOWN)} •••• ${account.iban.slice(-SHOWN)}`
  const shown = Math.min(SHOWN, Math.floor(account.accountNumber.length / 2))
  return `${account.accountType} account ••••${account.accountNumber.slice(-shown)}`
}

const SHOWN = 4

/** Nine digits of a Federal Reserve district, weighted 3, 7 and 1, add up to a multiple of ten. */
export function isRoutingNumber(text: string): boolean {
  if (!/^(0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])\d{7}$/.test(text)) return false
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
  return sum % 10 === 0
}

/** In upper case, as the schemas of ISO 20022 want it. */
export function isBic(text: string): boolean {
  return text === text.toUpperCase() && isValidBIC(text)
}

// Missing from the list of ibantools: Albania, Moldova, Montenegro and North Macedonia joined in 2025, Serbia in 2026.
const LATER_IN_SEPA = ['AL', 'MD', 'ME', 'MK', 'RS']

/** True if the account is in SEPA, where the IBAN identifies the bank. */
export function isInSepa(iban: string): boolean {
  const country = iban.slice(0, 2)
  return isSEPACountry(country) || LATER_IN_SEPA.includes(country)
}

function faultOfHolder(name: string): string | null {
  if (name.trim() === '') return 'is empty'
  if (name !== name.trim()) return 'begins or ends with a blank'
  if ([...name].length > HOLDER_NAME_MAX) return `is longer than ${HOLDER_NAME_MAX} characters`
  if (!PRINTABLE.test(name)) return 'contains a character that cannot be printed'
  return isWritable(name) ? null : 'has neither a letter nor a digit'
}
