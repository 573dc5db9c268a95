import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText } from '../../../platform/text/decode-text.ts'
import { readAnswers } from './read-answers.ts'
import { GERMAN, makeEntries, makeFile, makeReference } from './testing.ts'
import { writePayoutFile } from './write-file.ts'

const FILE_ID = '01K7ZQ0000000000000000FILE'
const SPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.10'

function report(group: string, payment = '', space = SPACE): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${space}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>B1</MsgId><CreDtTm>2026-03-05T08:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${FILE_ID}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group}</OrgnlGrpInfAndSts>
${payment === '' ? '' : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${FILE_ID}</OrgnlPmtInfId>${payment}</OrgnlPmtInfAndSts>`}
</CstmrPmtStsRpt></Document>`
}

function transfer(number: number, status: string, more = ''): string {
  const written = status === '' ? '' : `<TxSts>${status}</TxSts>`
  return `\n<TxInfAndSts><OrgnlEndToEndId>${makeReference(number)}</OrgnlEndToEndId>${written}${more}</TxInfAndSts>`
}

function reason(code: string, ...texts: readonly string[]): string {
  return `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${texts.map((text) => `<AddtlInf>${text}</AddtlInf>`).join('')}</StsRsnInf>`
}

function amount(text: string, currency = 'EUR'): string {
  return `<OrgnlTxRef><Amt><InstdAmt Ccy="${currency}">${text}</InstdAmt></Amt></OrgnlTxRef>`
}

const read = (text: string) => readAnswers('pain.001', text)

test('a report in ISO-8859-1 is decoded correctly', () => {
  const rejected = transfer(1, 'RJCT', reason('AC04', 'Konto von Jörg Weiß erloschen'))
  const text = report('<GrpSts>PART</GrpSts>', rejected).replace('UTF-8', 'ISO-8859-1')
  const decoded = decodeText(Buffer.from(text, 'latin1'))
  const { answers, faults } = read(decoded?.text ?? '')
  assert.deepEqual([answers[0]?.message, faults], ['Konto von Jörg Weiß erloschen', []])
})

test('a final status is an answer, but any other leaves the transfer pending', () => {
  const statuses = ['ACSC', 'ACCC', 'ACSP', 'ACTC', 'PDNG', 'ACCP', 'RCVD']
  const transfers = statuses.map((status, index) => transfer(index + 1, status)).join('')
  const rejected =
    transfer(8, 'RJCT', reason('AC04', 'Account closed', 'on &lt;1 March&gt;') + amount('12.34')) +
    transfer(9, 'RJCT', '<StsRsnInf><Rsn><Prtry>X1</Prtry></Rsn></StsRsnInf>')
  const { answers, notices, whole, faults } = read(report('<GrpSts>PART</GrpSts>', transfers + rejected))
  assert.deepEqual({ notices, whole, faults }, { notices: [], whole: null, faults: [] })
  const none = { code: null, message: null, amount: null, currency: null }
  assert.deepEqual(answers, [
    { line: 6, reference: makeReference(1), outcome: 'paid', ...none },
    { line: 7, reference: makeReference(2), outcome: 'paid', ...none },
    {
      line: 13,
      reference: makeReference(8),
      outcome: 'unpaid',
      code: 'AC04',
      message: 'Account closed on <1 March>',
      amount: 1234n,
      currency: 'EUR',
    },
    { line: 14, reference: makeReference(9), outcome: 'unpaid', ...none, code: 'X1' },
  ])
})

test('the message is read in every version and with any namespace prefix', () => {
  const text = report('', transfer(1, 'ACSC'), SPACE.replace('.10', '.03'))
  const prefixed = text.replaceAll(/<(\/?)([A-Z])/g, '<$1p:$2').replace('xmlns=', 'xmlns:p=')
  for (const one of [text, prefixed, `\uFEFF${text}`, text.replaceAll('\n', '\r\n')]) {
    assert.deepEqual(
      read(one).answers.map(({ reference }) => reference),
      [makeReference(1)],
    )
  }
})

test('a rejected message or payment rejects all its transfers', () => {
  const unpaid = { fileId: FILE_ID, outcome: 'unpaid', code: 'FF01', message: 'Bad file' }
  assert.deepEqual(read(report(`<GrpSts>RJCT</GrpSts>${reason('FF01', 'Bad file')}`)).whole, { line: 4, ...unpaid })
  const payment = read(report('<GrpSts>ACTC</GrpSts>', `<PmtInfSts>RJCT</PmtInfSts>${reason('FF01', 'Bad file')}`))
  assert.deepEqual(payment.whole, { line: 5, ...unpaid })
  const both = read(report('<GrpSts>RJCT</GrpSts>', `<PmtInfSts>RJCT</PmtInfSts>${reason('FF01', 'Bad file')}`))
  assert.deepEqual([both.whole, both.faults], [{ line: 5, ...unpaid }, []])
})

test('transfers listed under an overall status can add reasons to it but cannot contradict it', () => {
  const listed = transfer(1, 'RJCT', reason('AC01')) + transfer(2, '', reason('AC04'))
  const { answers, whole, faults } = read(report('<GrpSts>RJCT</GrpSts>', listed))
  assert.deepEqual([whole?.outcome, faults], ['unpaid', []])
  assert.deepEqual(
    answers.map(({ outcome, code }) => [outcome, code]),
    [
      ['unpaid', 'AC01'],
      ['unpaid', 'AC04'],
    ],
  )
  for (const status of ['ACSC', 'PDNG']) {
    assert.deepEqual(read(report('<GrpSts>RJCT</GrpSts>', transfer(1, status))).faults, [
      { line: 6, message: 'The status contradicts that of the whole payment.' },
    ])
  }
})

test('a settled message marks all its transfers as paid', () => {
  assert.equal(read(report('<GrpSts>ACSC</GrpSts>')).whole?.outcome, 'paid')
  assert.equal(read(report('<GrpSts>ACSP</GrpSts>')).whole, null)
})

test('unreadable content is reported by line number', () => {
  const table: [string, number, string][] = [
    [report('<GrpSts>NEWS</GrpSts>'), 4, 'The status "NEWS" is unknown.'],
    [report('', transfer(1, 'NEWS')), 6, 'The status "NEWS" is unknown.'],
    [report('', transfer(1, '')), 6, `${makeReference(1)} has no status.`],
    [report('', transfer(1, 'ACSC', amount('1,5'))), 6, `The amount of ${makeReference(1)} is invalid.`],
    [report('', transfer(1, 'ACSC', amount('1.5', 'e'))), 6, `The amount of ${makeReference(1)} is invalid.`],
    [
      report('<GrpSts>RJCT</GrpSts>', '<PmtInfSts>ACSC</PmtInfSts>'),
      5,
      'The statuses of the message and its payment contradict each other.',
    ],
    [
      report('<GrpSts>RJCT</GrpSts>').replace(FILE_ID, 'NOTPROVIDED'),
      2,
      'The report does not say which message it responds to.',
    ],
    [report('').replace(FILE_ID, ''), 2, 'The report does not say which message it responds to.'],
    [report('').replace('pain.002', 'camt.053'), 2, 'This is not a payment status report (pain.002).'],
    [report('').replace('</GrpHdr>', ''), 6, 'The XML is not well-formed.'],
  ]
  for (const [text, line, message] of table) assert.deepEqual(read(text).faults, [{ line, message }])
})

test('payments and transfers from other products are skipped, and the rest are read', () => {
  const other = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>OTHER</OrgnlPmtInfId><PmtInfSts>RJCT</PmtInfSts></OrgnlPmtInfAndSts>`
  const foreign = transfer(2, 'RJCT').replace(makeReference(2), 'NOTPROVIDED')
  const { answers, whole, skipped, faults } = read(
    report('', transfer(1, 'ACSC') + foreign).replace('</CstmrPmtStsRpt>', `${other}</CstmrPmtStsRpt>`),
  )
  assert.deepEqual([answers.map(({ reference }) => reference), whole, faults], [[makeReference(1)], null, []])
  assert.deepEqual(skipped, [
    {
      line: 7,
      message: '"NOTPROVIDED" is not a payout file reference, which consists of 26 digits or uppercase letters.',
    },
    { line: 8, message: `The payment is not part of "${FILE_ID}".` },
  ])
})

test('if only the message or the payment has an ID, that ID is used', () => {
  const rejected = report('', `<PmtInfSts>RJCT</PmtInfSts>${reason('FF01')}`)
  const [noMessage, noPayment] = [
    rejected.replace(FILE_ID, 'NOTPROVIDED'),
    rejected.replace(/(PmtInfId>)\w+/, '$1NOTPROVIDED'),
  ]
  for (const text of [noMessage, noPayment])
    assert.deepEqual([read(text).whole?.fileId, read(text).whole?.code, read(text).faults], [FILE_ID, 'FF01', []])
  const neither = report('', transfer(1, 'ACSC')).replaceAll(FILE_ID, 'NOTPROVIDED')
  assert.deepEqual([read(neither).answers.length, read(neither).whole, read(neither).faults], [1, null, []])
})

test('numeric character references and CDATA sections are decoded', () => {
  const reasons = reason('AC04', 'Stra&#223;e &amp; &#x2116; <![CDATA[<b>]]>')
  assert.equal(read(report('', transfer(1, 'RJCT', reasons))).answers[0]?.message, 'Straße & № <b>')
})

test('a document with excessive nesting or reserved names yields one error', () => {
  for (const inner of ['<a>'.repeat(60) + '</a>'.repeat(60), '<__proto__><a>1</a></__proto__>', '<constructor/>']) {
    assert.deepEqual(read(report(`<GrpSts>RJCT</GrpSts>${inner}`)).faults, [
      { line: 1, message: 'The XML cannot be parsed.' },
    ])
  }
})

test('a document that declares entities is rejected before they are expanded', () => {
  const bomb = `<!DOCTYPE Document [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>`
  const outside = `<!DOCTYPE Document SYSTEM "file:///etc/passwd">`
  for (const declaration of [bomb, outside, bomb.toLowerCase()]) {
    const text = report('<GrpSts>&b;</GrpSts>').replace('\n', `\n${declaration}`)
    assert.deepEqual(read(text).faults, [
      { line: 2, message: 'The XML contains a document type declaration, which is not accepted.' },
    ])
  }
})

test('the payout file itself is not mistaken for its response', () => {
  const { answers, faults } = read(writePayoutFile('pain.001', makeFile(makeEntries([1n, GERMAN]))))
  assert.deepEqual([answers, faults.length], [[], 1])
})
