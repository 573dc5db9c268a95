import { toMinor } from '../../platform/money.ts'
import {
  type AnswerFault,
  type AnswerReading,
  faulty,
  gathered,
  messageOf,
  noReference,
  type PayoutAnswer,
  type PayoutAnswers,
  type PayoutOutcome,
  quoted,
  unreadable,
  type WholeAnswer,
} from './payout-answers.ts'
import { REFERENCE } from './payout-file.ts'
import { attributeOf, childrenOf, elementAt, readXml, textAt, type XmlDocument, type XmlElement } from './xml.ts'

// What a status decides; null has to be waited out. A partly accepted file tells of each transfer.
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
 * Reads a payment status report, of any version of pain.002.001. A status of the message or of its one payment holds
 * for all transfers; those that are listed beside it may only add their reasons.
 */
export function readPain002(text: string): PayoutAnswers {
  const document = readXml(text)
  if ('message' in document) return unreadable(document.line, document.message)
  const { root, rootName, startTag, lineOf } = document
  const report = elementAt(root, 'CstmrPmtStsRpt')
  if (rootName !== 'Document' || !startTag.includes(NAMESPACE) || report === null) {
    return unreadable(lineOf(root), 'This is not a payment status report (pain.002).')
  }
  const group = elementAt(report, 'OrgnlGrpInfAndSts')
  const fileId = group === null ? null : textAt(group, 'OrgnlMsgId')
  if (group === null || fileId === null) {
    return unreadable(lineOf(report), 'The report does not say which message it answers.')
  }
  const payments = childrenOf(report, 'OrgnlPmtInfAndSts')
  const strange = payments.filter((payment) => textAt(payment, 'OrgnlPmtInfId') !== fileId)
  if (strange.length > 0) {
    return gathered(
      strange.map((payment) => faulty(lineOf(payment), `The payment is not the one of ${quoted(fileId)}.`)),
    )
  }
  const whole = wholeOf([
    statusOf(group, 'GrpSts', lineOf),
    ...payments.map((payment) => statusOf(payment, 'PmtInfSts', lineOf)),
  ])
  if (whole !== null && 'fault' in whole) return gathered([whole])
  const transfers = payments.flatMap((payment) => childrenOf(payment, 'TxInfAndSts'))
  return gathered(
    transfers.map((transfer) => readTransfer(transfer, whole?.outcome ?? null, lineOf)),
    whole === null ? null : { ...whole, fileId },
  )
}

type Status = {
  readonly line: number
  readonly status: string | null
  readonly code: string | null
  readonly message: string | null
}

/** The status of an element with the first code and all texts of its reasons. */
function statusOf(element: XmlElement, name: string, lineOf: XmlDocument['lineOf']): Status {
  const reasons = childrenOf(element, 'StsRsnInf')
  const codes = reasons.flatMap((reason) => textAt(reason, 'Rsn', 'Cd') ?? textAt(reason, 'Rsn', 'Prtry') ?? [])
  const texts = reasons.flatMap((reason) => childrenOf(reason, 'AddtlInf').flatMap((part) => textAt(part) ?? []))
  return {
    line: lineOf(element),
    status: textAt(element, name),
    code: messageOf(codes[0] ?? ''),
    message: messageOf(texts.join(' ')),
  }
}

function wholeOf(all: readonly Status[]): Omit<WholeAnswer, 'fileId'> | null | { readonly fault: AnswerFault } {
  const unknown = all.find(({ status }) => status !== null && !OUTCOMES.has(status))
  if (unknown !== undefined) return faulty(unknown.line, `The status ${quoted(unknown.status ?? '')} is not known.`)
  const decided = all.flatMap(({ line, status, code, message }) => {
    const outcome = OUTCOMES.get(status ?? '') ?? null
    return outcome === null ? [] : [{ line, outcome, code, message }]
  })
  const other = decided.find(({ outcome }) => outcome !== decided[0]?.outcome)
  if (other !== undefined)
    return faulty(other.line, 'The statuses of the message and its payment contradict each other.')
  return decided.find(({ code }) => code !== null) ?? decided[0] ?? null
}

function readTransfer(
  transfer: XmlElement,
  whole: PayoutOutcome | null,
  lineOf: XmlDocument['lineOf'],
): AnswerReading | null {
  const { line, status, code, message } = statusOf(transfer, 'TxSts', lineOf)
  const reference = textAt(transfer, 'OrgnlEndToEndId') ?? ''
  if (!REFERENCE.test(reference)) return faulty(line, noReference(reference))
  const outcome = status === null ? whole : OUTCOMES.get(status)
  if (outcome === undefined) return faulty(line, `The status ${quoted(status ?? '')} is not known.`)
  if (whole !== null && outcome !== whole) return faulty(line, 'The status contradicts the one of the whole payment.')
  if (outcome === null) return status === null ? faulty(line, `${reference} has no status.`) : null
  const amount = amountOf(transfer)
  return amount === undefined
    ? faulty(line, `The amount of ${reference} cannot be read.`)
    : { answer: { line, reference, outcome, code, message, ...amount } }
}

/** The amount as it was instructed, nulls when the bank does not repeat it, undefined when it is not an amount. */
function amountOf(transfer: XmlElement): Pick<PayoutAnswer, 'amount' | 'currency'> | undefined {
  const element = elementAt(transfer, 'OrgnlTxRef', 'Amt', 'InstdAmt')
  if (element === null) return { amount: null, currency: null }
  const currency = attributeOf(element, 'Ccy') ?? ''
  if (!/^[A-Z]{3}$/.test(currency)) return undefined
  const amount = toMinor(textAt(element) ?? '', currency)
  return amount === null ? undefined : { amount, currency }
}
