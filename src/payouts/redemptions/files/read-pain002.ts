import { toMinor } from '../../../platform/money.ts'
import {
  type AnswerReading,
  cleanMessage,
  describeNoReference,
  gatherReadings,
  type LineNote,
  type PayoutAnswer,
  type PayoutAnswers,
  type PayoutOutcome,
  quoteLine,
  toFault,
  toSkipped,
  unreadable,
  type WholeAnswer,
} from './payout-answers.ts'
import { REFERENCE } from './payout-file.ts'
import {
  findAttribute,
  findChildren,
  findElement,
  findText,
  readXml,
  type XmlDocument,
  type XmlElement,
} from './xml.ts'

// The outcome of each status, or null if it is not final. In a partially accepted file, each transfer has its own
// status.
const OUTCOMES: ReadonlyMap<string, PayoutOutcome | null> = new Map([
  ['ACCC', 'paid'],
  ['ACSC', 'paid'],
  ['RJCT', 'unpaid'],
  ['CANC', 'unpaid'],
  ...['ACCP', 'ACFC', 'ACSP', 'ACTC', 'ACWC', 'ACWP', 'PART', 'PATC', 'PDNG', 'RCVD'].map((status): [string, null] => [
    status,
    null,
  ]),
])
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.'

/**
 * Reads a payment status report of any pain.002.001 version. A final status of the message or of its only payment
 * applies to all transfers, and listed transfers can only add reasons. Payments and transfers for the bank's other
 * products are skipped.
 */
export function readPain002(text: string): PayoutAnswers {
  const document = readXml(text)
  if ('message' in document) return unreadable(document.line, document.message)
  const { root, rootName, startTag, findLine } = document
  const report = findElement(root, 'CstmrPmtStsRpt')
  if (rootName !== 'Document' || !startTag.includes(NAMESPACE) || report === null) {
    return unreadable(findLine(root), 'This is not a payment status report (pain.002).')
  }
  const group = findElement(report, 'OrgnlGrpInfAndSts')
  const all = findChildren(report, 'OrgnlPmtInfAndSts')
  // A payout file is one message containing one payment with the same ID.
  const ids = all.map((payment) => idAt(payment, 'OrgnlPmtInfId'))
  const fileId = idAt(group, 'OrgnlMsgId') ?? ids.find((id) => id !== null && REFERENCE.test(id)) ?? null
  const isOfFile = (id: string | null = null): boolean => id === null || id === fileId
  const payments = all.filter((_payment, nth) => isOfFile(ids[nth]))
  const others = all.filter((_payment, nth) => !isOfFile(ids[nth]))
  const statuses = payments.map((payment) => readStatus(payment, 'PmtInfSts', findLine))
  const whole = readWhole(group === null ? statuses : [readStatus(group, 'GrpSts', findLine), ...statuses])
  if (whole !== null && 'fault' in whole) return gatherReadings([whole])
  const transfers = payments.flatMap((payment) => findChildren(payment, 'TxInfAndSts'))
  if (group === null || (fileId === null && (whole !== null || transfers.length === 0))) {
    return unreadable(findLine(report), 'The report does not say which message it responds to.')
  }
  return gatherReadings(
    [
      ...others.map((one) => toSkipped(findLine(one), `The payment is not part of ${quoteLine(fileId ?? '')}.`)),
      ...transfers.map((transfer) => readTransfer(transfer, whole?.outcome ?? null, findLine)),
    ],
    whole === null || fileId === null ? null : { ...whole, fileId },
  )
}

/**
 * Returns an ID, or null if it is missing or NOTPROVIDED, which banks write when the schema requires an ID that they do
 * not have.
 */
function idAt(element: XmlElement | null, name: string): string | null {
  const id = element === null ? null : findText(element, name)
  return id === 'NOTPROVIDED' ? null : id
}

type Status = {
  readonly line: number
  readonly status: string | null
  readonly code: string | null
  readonly message: string | null
}

/** Returns an element's status with the first reason code and all reason texts. */
function readStatus(element: XmlElement, name: string, findLine: XmlDocument['findLine']): Status {
  const reasons = findChildren(element, 'StsRsnInf')
  const codes = reasons.flatMap((reason) => findText(reason, 'Rsn', 'Cd') ?? findText(reason, 'Rsn', 'Prtry') ?? [])
  const texts = reasons.flatMap((reason) => findChildren(reason, 'AddtlInf').flatMap((part) => findText(part) ?? []))
  return {
    line: findLine(element),
    status: findText(element, name),
    code: cleanMessage(codes[0] ?? ''),
    message: cleanMessage(texts.join(' ')),
  }
}

function readWhole(all: readonly Status[]): Omit<WholeAnswer, 'fileId'> | null | { readonly fault: LineNote } {
  const unknown = all.find(({ status }) => status !== null && !OUTCOMES.has(status))
  if (unknown !== undefined) return toFault(unknown.line, `The status ${quoteLine(unknown.status ?? '')} is unknown.`)
  const decided = all.flatMap(({ line, status, code, message }) => {
    const outcome = OUTCOMES.get(status ?? '') ?? null
    return outcome === null ? [] : [{ line, outcome, code, message }]
  })
  const other = decided.find(({ outcome }) => outcome !== decided[0]?.outcome)
  if (other !== undefined)
    return toFault(other.line, 'The statuses of the message and its payment contradict each other.')
  return decided.find(({ code }) => code !== null) ?? decided[0] ?? null
}

function readTransfer(
  transfer: XmlElement,
  whole: PayoutOutcome | null,
  findLine: XmlDocument['findLine'],
): AnswerReading | null {
  const { line, status, code, message } = readStatus(transfer, 'TxSts', findLine)
  const reference = findText(transfer, 'OrgnlEndToEndId') ?? ''
  if (!REFERENCE.test(reference)) return toSkipped(line, describeNoReference(reference))
  const outcome = status === null ? whole : OUTCOMES.get(status)
  if (outcome === undefined) return toFault(line, `The status ${quoteLine(status ?? '')} is unknown.`)
  if (whole !== null && outcome !== whole) return toFault(line, 'The status contradicts that of the whole payment.')
  if (outcome === null) return status === null ? toFault(line, `${reference} has no status.`) : null
  const amount = readAmount(transfer)
  return amount === undefined
    ? toFault(line, `The amount of ${reference} is invalid.`)
    : { answer: { line, reference, outcome, code, message, ...amount } }
}

/** Returns the instructed amount, nulls if the bank does not repeat it, or undefined if it is not an amount. */
function readAmount(transfer: XmlElement): Pick<PayoutAnswer, 'amount' | 'currency'> | undefined {
  const element = findElement(transfer, 'OrgnlTxRef', 'Amt', 'InstdAmt')
  if (element === null) return { amount: null, currency: null }
  const currency = findAttribute(element, 'Ccy') ?? ''
  if (!/^[A-Z]{3}$/.test(currency)) return undefined
  const amount = toMinor(findText(element) ?? '', currency)
  return amount === null ? undefined : { amount, currency }
}
