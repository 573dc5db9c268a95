import { type Day, isDay, isInstant } from '../platform/calendar.ts'
import { AMOUNT_MAX } from '../platform/money.ts'

const SUB_ID_MARK = '{sub_id}'
const TEMPLATE_LENGTH_MAX = 2048

/** Why an address cannot be an advertiser's template, or null. */
export function templateFault(template: string): string | null {
  if (template.length > TEMPLATE_LENGTH_MAX) return `must not be longer than ${TEMPLATE_LENGTH_MAX} characters`
  const probe = template.replaceAll(SUB_ID_MARK, 'x')
  if (!URL.canParse(probe)) return 'must be an absolute URL'
  const address = new URL(probe)
  if (address.protocol !== 'https:') return 'must use https'
  if (address.username !== '' || address.password !== '') return 'must have no user part'
  // The destination of a link must not depend on the sub-id.
  if (template.indexOf(SUB_ID_MARK) >= 0 && template.indexOf(SUB_ID_MARK) < originLength(template)) {
    return `must hold ${SUB_ID_MARK} behind its host only`
  }
  return null
}

/** The template with a place for the sub-id: a query parameter, unless it has one. */
export function completeTemplate(template: string): string {
  if (template.includes(SUB_ID_MARK)) return template
  const [address = '', fragment] = template.split('#')
  const joined = `${address}${address.includes('?') ? '&' : '?'}sub_id=${SUB_ID_MARK}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

export function addressOf(template: string, subId: string): string {
  return template.replaceAll(SUB_ID_MARK, encodeURIComponent(subId))
}

function originLength(template: string): number {
  const host = template.indexOf('://') + 3
  const end = template.slice(host).search(/[/?#]/)
  return end < 0 ? template.length : host + end
}

export type Program = {
  readonly offerUid: string
  readonly network: string
  readonly addressTemplate: string
  readonly currency: string
  readonly firstDay: Day | null
  readonly lastDay: Day | null
}

/** Whether today is within the offer's days, both included. */
export function isRunning(program: Program, today: Day): boolean {
  return (
    (program.firstDay === null || program.firstDay <= today) && (program.lastDay === null || program.lastDay >= today)
  )
}

export type SaleStatus = 'pending' | 'approved' | 'rejected'

/** The words of networks for the three states of a sale. */
const STATUSES: Readonly<Record<SaleStatus, readonly string[]>> = {
  pending: ['pending', 'open', 'new', 'created', 'tracked', 'hold', 'on_hold', 'extended'],
  approved: ['approved', 'confirmed', 'accepted', 'validated', 'locked', 'closed', 'cleared', 'paid'],
  rejected: [
    'rejected',
    'declined',
    'denied',
    'cancelled',
    'canceled',
    'reversed',
    'refunded',
    'returned',
    'void',
    'voided',
    'invalid',
    'chargeback',
  ],
}

export type Sale = {
  readonly subId: string
  readonly status: SaleStatus
  readonly orderId: string | null
  readonly transactionId: string | null
  /** The network's number of the report. */
  readonly reportId: string | null
  /** When the network made the report. */
  readonly reportedAt: Date | null
  /** Major units, the decimal as it was written; null only for a rejection. */
  readonly amount: string | null
  readonly currency: string | null
  /** When it was bought; of a day without a time, its first instant in UTC. */
  readonly soldAt: Date | null
  readonly dateOnly: boolean
}
type SaleFault = { readonly field: string; readonly code: string; readonly message: string }
export type Content = Readonly<Record<string, unknown>>

/** Reads a network's report. Unknown members are kept but not read: networks send many. */
export function saleOf(content: Content): { readonly sale: Sale } | { readonly faults: readonly SaleFault[] } {
  const faults: SaleFault[] = []
  const fault = (field: string, code: string, message: string): null => {
    faults.push({ field, code, message })
    return null
  }
  for (const [name, value] of Object.entries(content)) {
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value)))
      fault(name.replaceAll('\u0000', ''), 'invalid_characters', 'must not contain NUL or broken Unicode')
  }
  const status = statusOf(content['status'])
  if (status === null) fault('status', 'not_allowed', `must be one of ${Object.values(STATUSES).flat().join(', ')}`)
  const subId = wordOf(content, 'sub_id', fault)
  if (subId === null && content['sub_id'] === undefined) fault('sub_id', 'required', 'is required')
  const orderId = wordOf(content, 'order_id', fault)
  const transactionId = wordOf(content, 'transaction_id', fault)
  if (orderId === null && transactionId === null && faults.length === 0) fault('order_id', 'required', 'is required')
  const amount = amountOf(content['amount'], status, fault)
  const currency = currencyOf(content['currency'], fault)
  const reportId = wordOf(content, 'report_id', fault)
  const sold = timeOf(content, 'date', fault)
  const reported = timeOf(content, 'reported_at', fault)
  if (reported?.dateOnly) fault('reported_at', 'invalid_format', 'must be an RFC 3339 instant')
  if (faults.length > 0 || subId === null || status === null) return { faults }
  const soldAt = sold?.at ?? null
  const when = { soldAt, dateOnly: sold?.dateOnly ?? false, reportedAt: reported?.at ?? null }
  return { sale: { subId, status, orderId, transactionId, reportId, amount, currency, ...when } }
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

type AddFault = (field: string, code: string, message: string) => null

function statusOf(value: unknown): SaleStatus | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase().replaceAll(/[ -]/g, '_') : ''
  return (Object.keys(STATUSES) as SaleStatus[]).find((status) => STATUSES[status].includes(word)) ?? null
}

function wordOf(content: Content, field: string, fault: AddFault): string | null {
  const given = content[field]
  const text = typeof given === 'number' ? String(given) : typeof given === 'string' ? given.trim() : given
  if (text === undefined || text === null || text === '') return null
  const fits = typeof text === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text)
  return fits ? text : fault(field, 'invalid_format', 'must be 1 to 255 printable characters')
}

function amountOf(value: unknown, status: SaleStatus | null, fault: AddFault): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const missing = value === undefined || value === null || value === '' || /^0+(\.0*)?$/.test(text)
  if (missing && status === 'rejected') return null
  if (missing && !text.startsWith('0')) return fault('amount', 'required', 'is required')
  const fits = /^\d{1,10}(\.\d{1,8})?$/.test(text) && Number(text) > 0 && Number(text) <= AMOUNT_MAX
  return fits ? text : fault('amount', 'out_of_range', `must be a decimal above 0, at most ${AMOUNT_MAX}`)
}

function currencyOf(value: unknown, fault: AddFault): string | null {
  if (value === undefined || value === null || value === '') return null
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  return /^[A-Z]{3}$/.test(code) ? code : fault('currency', 'invalid_format', 'must be an ISO 4217 code')
}

function timeOf(
  content: Content,
  field: string,
  fault: AddFault,
): { readonly at: Date; readonly dateOnly: boolean } | null {
  const value = content[field]
  if (value === undefined || value === null || value === '') return null
  const text = typeof value === 'string' ? value.trim() : ''
  if (isDay(text)) return { at: new Date(`${text}T00:00:00Z`), dateOnly: true }
  const instant = text.replace(' ', 'T')
  if (isInstant(instant)) return { at: new Date(instant), dateOnly: false }
  return fault(field, 'invalid_format', 'must be yyyy-MM-dd or an RFC 3339 instant')
}
