import type { FieldCode, FieldError } from '../../../platform/http/index.ts'
import { AMOUNT_MAX } from '../../../platform/money.ts'
import type { FieldName, Format } from '../formats/format.ts'
import type { Content, ReportedStatus, SaleStatus } from '../rules.ts'
import { createFieldFinder, type Find, getValueAt, isAbsent } from './field-values.ts'
import { readDate } from './read-date.ts'

/** Words for the three states of a sale, recognized for every network. */
const STATUSES: Readonly<Record<SaleStatus, readonly string[]>> = {
  pending: ['pending', 'open', 'new', 'created', 'tracked', 'hold', 'on_hold', 'extended'],
  approved: ['approved', 'confirmed', 'accepted', 'validated', 'locked', 'closed', 'cleared', 'paid'],
  rejected: [
    ...['rejected', 'declined', 'denied', 'cancelled', 'canceled', 'reversed', 'refunded', 'returned'],
    ...['void', 'voided', 'invalid', 'chargeback'],
  ],
}
/** Words for reports that change only the amount of a sale, not its state. */
const AMENDED = ['amended', 'corrected', 'modified', 'adjusted']

export type Sale = {
  /** An empty string if the network reports none. */
  readonly subId: string
  readonly status: ReportedStatus
  readonly orderId: string | null
  readonly transactionId: string | null
  /** The network's number for the report, or for the record. */
  readonly reportId: string | null
  /** The time the network created the report. */
  readonly reportedAt: Date | null
  /** In major units, as the network wrote the decimal; null only for a rejection. Negative only if `adds`. */
  readonly amount: string | null
  readonly currency: string | null
  readonly commission: string | null
  /** The time of purchase. A day without a time means the first instant of that day in UTC. */
  readonly soldAt: Date | null
  readonly dateOnly: boolean
  /** True if the amount is added to those of the item's other records. */
  readonly adds: boolean
  /** True if excess decimal places are rounded to those of the currency. */
  readonly rounds: boolean
}
type AddFault = (field: string, code: FieldCode, message: string) => null

/** Reads a network's report. Networks send many unknown members, which are stored but not read. */
export function readSale(
  content: Content,
  format: Format,
): { readonly sale: Sale } | { readonly faults: readonly FieldError[] } {
  const faults: FieldError[] = []
  const fault: AddFault = (field, code, message) => {
    faults.push({ field, code, message })
    return null
  }
  for (const [name, value] of Object.entries(content)) {
    if (!isStorable(name) || !isStorable(value))
      fault(name.replaceAll('\u0000', ''), 'invalid_characters', 'must not contain NUL or broken Unicode')
  }
  const find = createFieldFinder(content, format.fields)
  const status = readStatus(find, format, fault)
  const names = readNames(find, format, fault)
  if (names.orderId === null && names.transactionId === null && faults.length === 0)
    fault(find('order_id').name, 'required', 'is required')
  const money = readMoney(find, format, status, fault)
  const sold = readDateField(find, format, 'date', fault)
  const reported = readDateField(find, format, 'reported_at', fault)
  if (reported?.dateOnly) fault(find('reported_at').name, 'invalid_format', 'must be an RFC 3339 timestamp')
  if (faults.length > 0 || names.subId === null || status === null) return { faults }
  const when = { soldAt: sold?.at ?? null, dateOnly: sold?.dateOnly ?? false, reportedAt: reported?.at ?? null }
  const manner = { adds: format.adds, rounds: format.isLenient }
  return { sale: { ...names, subId: names.subId, ...money, ...when, ...manner } }
}

/** Returns true if a network's report is not about a sale at all. */
export function isNoSale(content: Content, { notSales }: Format): boolean {
  if (notSales === null) return false
  const value = getValueAt(content, notSales.name)
  return notSales.words.includes(
    String(value ?? '')
      .trim()
      .toLowerCase(),
  )
}

/** Returns true if the database can store a value, including everything nested in it. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member))
}

function readStatus(find: Find, format: Format, fault: AddFault): ReportedStatus | null {
  const { name, value } = find('status')
  if (isAbsent(value) && format.unstated !== null) return format.unstated
  const word = typeof value === 'string' ? value.trim().toLowerCase().replaceAll(/[ -]/g, '_') : ''
  if (AMENDED.includes(word)) return 'amended'
  const statuses = Object.keys(STATUSES) as SaleStatus[]
  const getWords = (status: SaleStatus) => [...(format.statuses[status] ?? []), ...STATUSES[status]]
  const found = statuses.find((status) => getWords(status).includes(word))
  const words = [...statuses.flatMap(getWords), ...AMENDED]
  return found ?? fault(name, 'not_allowed', `must be one of ${words.join(', ')}`)
}

function readNames(find: Find, format: Format, fault: AddFault) {
  const { name, value } = find('sub_id')
  const subId = readWord(find, 'sub_id', fault)
  const missing = format.isLenient && isAbsent(typeof value === 'string' ? value.trim() : value) ? '' : null
  if (subId === null && missing === null && value === undefined) fault(name, 'required', 'is required')
  const reportId = readWord(find, 'report_id', fault)
  // Without a record number, a resent record would add its amount a second time.
  if (format.adds && reportId === null) fault(find('report_id').name, 'required', 'is required')
  return {
    subId: subId ?? missing,
    orderId: readWord(find, 'order_id', fault),
    transactionId: readWord(find, 'transaction_id', fault),
    reportId,
  }
}

function readWord(find: Find, field: FieldName, fault: AddFault): string | null {
  const { name, value } = find(field)
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value
  if (text === undefined || text === null || text === '') return null
  const fits = typeof text === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text)
  return fits ? text : fault(name, 'invalid_format', 'must be 1 to 255 printable characters')
}

function readMoney(find: Find, format: Format, status: ReportedStatus | null, fault: AddFault) {
  const amount = readAmount(find, format, status, fault)
  // A sale reported with a zero amount has been reversed.
  const isNothing = amount === null && status !== null && status !== 'rejected'
  return {
    status: isNothing ? ('rejected' as const) : (status ?? 'rejected'),
    amount,
    currency: readCurrency(find, fault),
    commission: readCommission(find),
  }
}

function readAmount(find: Find, format: Format, status: ReportedStatus | null, fault: AddFault): string | null {
  const { name, value } = find('amount')
  const text = toDecimalText(value)
  const isZero = /^0+(\.0*)?$/.test(text)
  // An amendment keeps the sale's state, even if it reduces the amount to zero for now.
  if (isZero && (format.adds || status === 'amended')) return '0'
  if ((isZero || isAbsent(value)) && status === 'rejected' && !format.adds) return null
  if (isZero && format.isLenient) return null
  if (isAbsent(value)) return fault(name, 'required', 'is required')
  const decimal = format.adds ? /^-?\d{1,10}(\.\d{1,8})?$/ : /^\d{1,10}(\.\d{1,8})?$/
  const size = Math.abs(Number(text))
  if (decimal.test(text) && size > 0 && size <= AMOUNT_MAX) return text
  const bounds = format.adds
    ? `other than 0, from -${AMOUNT_MAX} to ${AMOUNT_MAX}`
    : `greater than 0 and at most ${AMOUNT_MAX}`
  return fault(name, 'out_of_range', `must be a decimal ${bounds}`)
}

function toDecimalText(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
}

/** Reads the commission. It is displayed only to operators, so an unreadable commission is omitted. */
function readCommission(find: Find): string | null {
  const text = toDecimalText(find('commission').value)
  return /^-?\d{1,10}(\.\d{1,8})?$/.test(text) ? text : null
}

function readCurrency(find: Find, fault: AddFault): string | null {
  const { name, value } = find('currency')
  if (isAbsent(value)) return null
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  return /^[A-Z]{3}$/.test(code) ? code : fault(name, 'invalid_format', 'must be an ISO 4217 code')
}

function readDateField(find: Find, format: Format, field: FieldName, fault: AddFault) {
  const { name, value } = find(field)
  if (isAbsent(value)) return null
  const read = typeof value === 'string' ? readDate(value.trim(), format.dates) : null
  return read ?? fault(name, 'invalid_format', 'must be yyyy-MM-dd or an RFC 3339 timestamp')
}
