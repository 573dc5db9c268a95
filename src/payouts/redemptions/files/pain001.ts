import { XMLBuilder } from 'fast-xml-parser'
import { isValidIBAN } from 'ibantools'
import { formatDecimal } from '../../../platform/money.ts'
import { isBic, isInSepa } from './bank-account.ts'
import { toSepaText } from './bank-text.ts'
import { type Payer, type PayoutEntry, type PayoutFile, type PayoutWriter, PURPOSE, sumEntries } from './payout-file.ts'

/**
 * Writes ISO 20022 pain.001.001.09 messages: one payment with one transfer per entry. Euro files follow the SEPA rules.
 */
export const pain001Writer: PayoutWriter = { findPayerFault, findEntryFault, findFileFault, write: writePain001 }

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
const NAME_WIDTH = 70
// The maximum for a SEPA credit transfer, 999,999,999.99 euros. Banks have similar limits in other currencies.
const AMOUNT_MAX = 99_999_999_999n
// The schema limits sums to 18 digits.
const TOTAL_MAX = 999_999_999_999_999_999n

function findPayerFault({ name, account }: Payer): string | null {
  if (account === null) return 'the payer has no account to pay from'
  if (toSepaText(name, NAME_WIDTH) === '') return 'the name of the payer is empty'
  if (!isValidIBAN(account.iban)) return 'the IBAN of the payer is invalid'
  return account.bic === null || isBic(account.bic) ? null : 'the BIC of the payer is invalid'
}

function findEntryFault({ account, amount }: PayoutEntry, currency: string): string | null {
  if (account.type !== 'iban') return 'pain.001 files can only pay to IBANs'
  if (!isInSepa(account.iban)) {
    if (isSepa(currency)) return 'the IBAN belongs to a country outside SEPA, which euro transfers cannot reach'
    if (account.bic === null) return 'the IBAN belongs to a country outside SEPA, so the transfer needs a BIC'
  }
  return amount > AMOUNT_MAX ? 'the amount is too large for a pain.001 file' : null
}

function findFileFault({ entries, payer, currency }: PayoutFile): string | null {
  if (isSepa(currency) && payer.account !== null && !isInSepa(payer.account.iban))
    return 'the IBAN of the payer belongs to a country outside SEPA'
  return sumEntries(entries) > TOTAL_MAX ? 'the sum of the amounts is too large for a pain.001 file' : null
}

/** Returns true for euros, which are sent as SEPA credit transfers. */
function isSepa(currency: string): boolean {
  return currency === 'EUR'
}

/** Elements by name in schema order, which the builder preserves. */
type Elements = { readonly [name: string]: string | Elements | readonly Elements[] }

const builder = new XMLBuilder({ attributeNamePrefix: '@', format: true, ignoreAttributes: false })

function writePain001(file: PayoutFile): string {
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    Document: {
      '@xmlns': NAMESPACE,
      CstmrCdtTrfInitn: { GrpHdr: groupHeader(file), PmtInf: payment(file) },
    },
  })
}

function groupHeader(file: PayoutFile): Elements {
  return {
    MsgId: file.fileId,
    CreDtTm: `${file.createdAt.toISOString().slice(0, 19)}Z`,
    ...totals(file),
    InitgPty: buildName(file.payer.name),
  }
}

/** Builds the message's only payment, which therefore shares the message's ID. */
function payment(file: PayoutFile): Elements {
  const { payer, currency } = file
  if (payer.account === null) throw new RangeError('the payer has no account to pay from')
  return {
    PmtInfId: file.fileId,
    PmtMtd: 'TRF',
    ...totals(file),
    ...(isSepa(currency) ? { PmtTpInf: { SvcLvl: { Cd: 'SEPA' } } } : {}),
    ReqdExctnDt: { Dt: file.payOn },
    Dbtr: buildName(payer.name),
    DbtrAcct: buildIban(payer.account.iban),
    DbtrAgt: buildBank(payer.account.bic),
    // The payer and the recipient each pay their own bank's charges.
    ...(isSepa(currency) ? { ChrgBr: 'SLEV' } : {}),
    CdtTrfTxInf: file.entries.map((entry) => transfer(entry, currency)),
  }
}

function transfer({ reference, amount, account }: PayoutEntry, currency: string): Elements {
  if (account.type !== 'iban') throw new RangeError(`${reference} is not paid to an IBAN`)
  return {
    PmtId: { EndToEndId: reference },
    Amt: { InstdAmt: { '@Ccy': currency, '#text': formatDecimal(amount, currency) } },
    ...(account.bic === null ? {} : { CdtrAgt: buildBank(account.bic) }),
    Cdtr: buildName(account.holderName),
    CdtrAcct: buildIban(account.iban),
    RmtInf: { Ustrd: PURPOSE },
  }
}

function totals({ entries, currency }: PayoutFile): Elements {
  return { NbOfTxs: String(entries.length), CtrlSum: formatDecimal(sumEntries(entries), currency) }
}

function buildName(text: string): Elements {
  return { Nm: toSepaText(text, NAME_WIDTH) }
}

function buildIban(iban: string): Elements {
  return { Id: { IBAN: iban } }
}

/**
 * Builds the element for a bank. Within SEPA, the IBAN identifies the bank, but the schema still requires an agent for
 * the payer.
 */
function buildBank(bic: string | null): Elements {
  return { FinInstnId: bic === null ? { Othr: { Id: 'NOTPROVIDED' } } : { BICFI: bic } }
}
