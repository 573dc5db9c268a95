import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PAYOUT_FORMATS } from './payout-file.ts'
import { judgeDoubts, readAnswers } from './read-answers.ts'
import { readAnswersInThread } from './read-answers-in-thread.ts'
import { findCodeMeaning, isDestinationFault } from './return-codes.ts'
import { makeReference } from './testing.ts'

test('text in the wrong format yields one error and no answers', () => {
  const others = ['', '\n', 'hello', '{"reference":1}', '<html><body>Sign in</body></html>', '\u0000\u0001', 'a,b\n1,2']
  for (const format of PAYOUT_FORMATS) {
    for (const text of others) {
      const { answers, notices, whole, faults } = readAnswers(format, text)
      assert.deepEqual(
        { answers, notices, whole, faults: faults.length },
        { answers: [], notices: [], whole: null, faults: 1 },
      )
    }
  }
})

test('text larger than 10 MiB is not read', () => {
  const text = `reference,status\n${'ä'.repeat(5 * 1024 * 1024)}`
  assert.deepEqual(readAnswers('csv', text).faults, [{ line: 1, message: 'The file is larger than 10 MiB.' }])
})

test('an answer that contradicts an earlier one is an error if its entry is in the payout file', () => {
  const text = `reference,status\n${makeReference(1)},paid\n${makeReference(2)},paid\n${makeReference(1)},failed\n`
  const read = readAnswers('csv', text)
  assert.deepEqual(
    read.answers.map(({ outcome }) => outcome),
    ['paid', 'paid'],
  )
  const { faults } = judgeDoubts(read, (reference) => reference === makeReference(1))
  assert.deepEqual(faults, [{ line: 4, message: `${makeReference(1)} already has an answer on line 2.` }])
  assert.deepEqual(
    judgeDoubts(read, () => false),
    {
      faults: [],
      skipped: [{ line: 4, message: `${makeReference(1)} is not in the payout file.` }],
    },
  )
})

test('reading a large response does not block the event loop', async () => {
  const transfers = Array.from(
    { length: 4_000 },
    (_one, nth) =>
      `<TxInfAndSts><OrgnlEndToEndId>${makeReference(nth)}</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>`,
  )
  const id = '01K7ZQ0000000000000000FILE'
  const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId></OrgnlGrpInfAndSts>
    <OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${transfers.join('')}</OrgnlPmtInfAndSts>
  </CstmrPmtStsRpt></Document>`
  let [turns, isRead] = [0, false]
  const count = (): void => {
    turns++
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  const answers = await readAnswersInThread({ format: 'pain.001', text })
  isRead = true
  assert.deepEqual([answers.answers.length, answers.faults], [transfers.length, []])
  // If the file were read on the event loop itself, the loop would turn only once.
  assert.ok(turns > 100, `${turns} turns`)
})

test('a repeated answer is skipped', () => {
  const text = `reference,status\n${makeReference(1)},paid\n${makeReference(1)},paid\n`
  const { answers, skipped, faults } = readAnswers('csv', text)
  assert.deepEqual([answers.length, faults], [1, []])
  assert.deepEqual(skipped, [{ line: 3, message: `${makeReference(1)} already has an answer on line 2.` }])
})

test('at most a hundred errors are listed, with a count of the rest', () => {
  const { faults } = readAnswers('csv', `reference,status\n${'x,paid\n'.repeat(250)}`)
  assert.equal(faults.length, 101)
  assert.deepEqual(faults.at(-1), { line: 102, message: '150 more errors follow.' })
})

test('reading arbitrary text never throws, and all answers are well-formed', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'reference,status\n',
      makeReference(1),
      ',paid\n',
      '"',
      ';',
      '1'.padEnd(34),
      '094101',
      '\n6',
      '\n799R01',
    ),
    fc.constantFrom(
      '<Document>',
      '</Document>',
      '<a b="',
      '">',
      '<![CDATA[',
      ']]>',
      '<!--',
      '<?xml',
      '&amp;',
      '&#0;',
      '<',
    ),
  )
  fc.assert(
    fc.property(fc.constantFrom(...PAYOUT_FORMATS), fc.array(piece, { maxLength: 12 }), (format, pieces) => {
      const { answers, faults } = readAnswers(format, pieces.join(''))
      for (const { reference } of answers) assert.match(reference, /^[0-9A-Z]{26}$/)
      for (const { line, message } of faults) {
        assert(line >= 1)
        assert.match(message, /^\P{Cc}+$/u)
      }
    }),
  )
})

test('a trailing Ctrl-Z is ignored in CSV and pain.002 responses', () => {
  const id = '01K7ZQ0000000000000000FILE'
  const report = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId><GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>\n`
  for (const [format, text] of [
    ['csv', `reference,status\r\n${makeReference(1)},paid\r\n`],
    ['pain.001', report],
  ] as const) {
    const read = readAnswers(format, text)
    assert.deepEqual(read.faults, [])
    for (const end of ['\u001A', '\u001A\r\n', '\u001A\u001A'])
      assert.deepEqual(readAnswers(format, text + end), read, format)
  }
})

test('bank codes are explained, and those that report a wrong account are destination faults', () => {
  for (const code of ['R02', 'R03', 'R04', 'R13', 'C01', 'AC01', 'AC04', 'RC01']) {
    assert.equal(isDestinationFault(code), true, code)
    assert.match(findCodeMeaning(code) ?? '', /^[A-Z].*\.$/)
  }
  for (const code of ['R01', 'R23', 'AM04', 'MS03', 'TM01']) {
    assert.equal(isDestinationFault(code), false, code)
    assert.match(findCodeMeaning(code) ?? '', /^[A-Z].*\.$/)
  }
  for (const code of ['R99', '', 'constructor', '__proto__']) {
    assert.equal(isDestinationFault(code), false)
    assert.equal(findCodeMeaning(code), null)
  }
})
