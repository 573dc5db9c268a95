import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeDoubts, readAnswers } from './read-answers.ts'
import { CHECKING, makeEntries, makeFile, makeReference, SAVINGS } from './testing.ts'
import { writePayoutFile } from './write-file.ts'

const sent = writePayoutFile('nacha', makeFile(makeEntries([1234n, CHECKING], [500n, SAVINGS], [7n, CHECKING]))).split(
  '\n',
)
const [header = '', batch = '', first = '', second = '', third = '', batchControl = '', control = ''] = sent
const id = (number: number): string => makeReference(number).slice(-15)

/** Reads a response and resolves its doubts against the file that was sent. */
function judged(text: string) {
  const read = readAnswers('nacha', text)
  return { ...read, ...judgeDoubts(read, (reference) => [id(1), id(2), id(3)].includes(reference)) }
}

/** Returns the entry as the recipient's bank sends it back, followed by the reason. */
function returned(entry: string, type: '98' | '99', code: string, text: string): string[] {
  const answered = `6${entry.slice(1, 2)}1${entry.slice(3, 78)}1${entry.slice(79)}`
  const trace = entry.slice(79)
  return [answered, `7${type}${code}${trace}${' '.repeat(6)}${entry.slice(3, 11)}${text.padEnd(44)}${trace}`]
}

function answerFile(...records: readonly string[]): string {
  const count = String(records.length).padStart(8, '0')
  const filler = '9'.repeat(94)
  return [header, batch, ...records, batchControl, `${control.slice(0, 13)}${count}${control.slice(21)}`, filler].join(
    '\n',
  )
}

const RETURNS = answerFile(
  ...returned(first, '99', 'R03', 'NO SUCH ACCOUNT'),
  ...returned(second, '99', 'R02', ''),
  ...returned(third, '98', 'C01', '99887766'),
)
const ANSWERS = [
  {
    line: 4,
    reference: id(1),
    outcome: 'unpaid',
    code: 'R03',
    message: 'NO SUCH ACCOUNT',
    amount: 1234n,
    currency: 'USD',
  },
  { line: 6, reference: id(2), outcome: 'unpaid', code: 'R02', message: null, amount: 500n, currency: 'USD' },
]
const NOTICES = [{ line: 8, reference: id(3), code: 'C01', corrected: '99887766' }]

test('returns are read as answers, and notifications of change as notices', () => {
  assert.deepEqual(readAnswers('nacha', RETURNS), {
    answers: ANSWERS,
    notices: NOTICES,
    whole: null,
    skipped: [],
    faults: [],
    doubts: [],
  })
})

test('line breaks may be LF, CRLF or absent, and trailing spaces may be missing', () => {
  const windows = RETURNS.replaceAll('\n', '\r\n')
  const stripped = RETURNS.replace(/ +$/gm, '')
  for (const text of [windows, stripped, `${RETURNS}\n\n`, `\uFEFF${RETURNS}`]) {
    assert.deepEqual(readAnswers('nacha', text), {
      answers: ANSWERS,
      notices: NOTICES,
      whole: null,
      skipped: [],
      faults: [],
      doubts: [],
    })
  }
  assert.deepEqual(readAnswers('nacha', RETURNS.replaceAll('\n', '')), readAnswers('nacha', RETURNS))
})

test('a file without returns contains no answers', () => {
  assert.deepEqual(readAnswers('nacha', answerFile()), {
    answers: [],
    notices: [],
    whole: null,
    skipped: [],
    faults: [],
    doubts: [],
  })
})

test('an invalid record is reported by line number, and the other records are read', () => {
  const [entry = '', addenda = ''] = returned(first, '99', 'R03', '')
  const table: [string[], { line: number; message: string }][] = [
    [[`${entry.slice(0, 29)}12,34     ${entry.slice(39)}`, addenda], { line: 3, message: '"12,34" is not an amount.' }],
    [[entry, addenda.replace('R03', 'X03')], { line: 4, message: '"X03" is not a return code.' }],
    [[entry, addenda.replace('99R03', '98R03')], { line: 4, message: '"R03" is not a change code.' }],
    [
      [entry, addenda.replace('799', '705')],
      { line: 4, message: 'Addenda type "05" is neither a return (99) nor a notification of change (98).' },
    ],
    [[addenda, addenda], { line: 3, message: 'The addenda record follows no entry.' }],
    [[entry, addenda, addenda], { line: 5, message: 'The entry already has an answer.' }],
    [[entry, entry], { line: 3, message: 'The entry has no addenda record, so it is not a return.' }],
    [[entry, `${addenda}x`], { line: 4, message: 'The line has 95 characters instead of 94.' }],
    [[entry, addenda, 'x'], { line: 5, message: '"x" is not a record type.' }],
  ]
  for (const [records, fault] of table) {
    const { answers, faults } = judged(answerFile(...records, ...returned(second, '99', 'R02', '')))
    assert.deepEqual(faults[0], fault)
    assert.equal(answers.at(-1)?.reference, id(2))
  }
})

test('entries from other products are skipped with a reason, and the rest are read', () => {
  const [entry = '', addenda = ''] = returned(first, '99', 'R03', '')
  const named = (reference: string) => `${entry.slice(0, 39)}${reference}${entry.slice(54)}`
  const foreign = (line: number, reference: string) => ({ line, message: `${reference} is not in the payout file.` })
  const table: [string[], { line: number; message: string }][] = [
    [[named('CUSTOMER0000042'), addenda.replace('799', '705')], foreign(4, 'CUSTOMER0000042')],
    [[named('000000000000042')], foreign(3, '000000000000042')],
    [[named('CUSTOMER0000042'), addenda.replace('R03', 'X03')], foreign(4, 'CUSTOMER0000042')],
    [[`626${entry.slice(3)}`, addenda], { line: 3, message: 'Transaction code "26" is not a response to a credit.' }],
    [[`627${entry.slice(3)}`], { line: 3, message: 'Transaction code "27" is not a response to a credit.' }],
    [
      [`${entry.slice(0, 39)}INVOICE 12     ${entry.slice(54)}`, addenda.replace('799', '705'), addenda],
      { line: 3, message: 'The individual id "INVOICE 12" is not the end of a reference.' },
    ],
    [
      [entry, addenda.replace('R03', 'R68')],
      { line: 4, message: 'R68 responds to a return, not to a payment. Settle it with the bank.' },
    ],
  ]
  for (const [records, note] of table) {
    const read = judged(answerFile(...records, ...returned(second, '99', 'R02', '')))
    assert.deepEqual([read.skipped, read.faults], [[note], []])
    assert.deepEqual(
      read.answers.map(({ reference }) => reference),
      [id(2)],
    )
  }
})

test('trailing spaces, empty lines and Ctrl-Z are ignored', () => {
  const expected = { answers: ANSWERS, notices: NOTICES, whole: null, skipped: [], faults: [], doubts: [] }
  const padded = RETURNS.replaceAll('\n', '   \n')
  for (const text of [padded, `${RETURNS}\n\u001a`, `${RETURNS}\u001a`, `${RETURNS}\n\n\u001a\n`])
    assert.deepEqual(readAnswers('nacha', text), expected)
  const spaced = readAnswers('nacha', RETURNS.replaceAll('\n', '\n\n'))
  assert.deepEqual(
    spaced.answers.map(({ line, reference }) => [line, reference]),
    [
      [7, id(1)],
      [11, id(2)],
    ],
  )
  assert.deepEqual(spaced.faults, [])
})

test('concatenated files are read one by one, each checked against its own record count', () => {
  const [one, two] = [answerFile(...returned(first, '99', 'R03', '')), answerFile(...returned(second, '99', 'R02', ''))]
  const read = readAnswers('nacha', `${one}\n${two}`)
  assert.deepEqual([read.answers.map(({ reference }) => reference), read.faults], [[id(1), id(2)], []])
  const repeated = readAnswers('nacha', `${one}\n${one}`)
  assert.deepEqual([repeated.answers.length, repeated.faults], [1, []])
  assert.deepEqual(repeated.skipped, [{ line: 11, message: `${id(1)} already has an answer on line 4.` }])
  const cut = readAnswers('nacha', `${one.split('\n').slice(0, 4).join('\n')}\n${two}`)
  assert.deepEqual(cut.faults, [{ line: 4, message: 'The file ends without a file control record.' }])
})

test("the rejection of an entry, batch or file is read as an answer with the bank's code", () => {
  const marked = (record: string): string => `${record.slice(0, 79)}REJ06030${record.slice(87)}`
  const counted = `${control.slice(0, 13)}${'1'.padStart(8, '0')}${control.slice(21)}`
  const files = [
    [header, batch, marked(first), batchControl, counted],
    [header, marked(batch), first, marked(batchControl), counted],
    [marked(header), batch, first, batchControl, counted],
  ]
  const answer = { line: 3, reference: id(1), outcome: 'unpaid', code: 'REJ06030', message: null }
  for (const file of files)
    assert.deepEqual(readAnswers('nacha', file.join('\n')), {
      answers: [{ ...answer, amount: 1234n, currency: 'USD' }],
      notices: [],
      whole: null,
      skipped: [],
      faults: [],
      doubts: [],
    })
})

test('a truncated or incomplete file is reported as an error', () => {
  const lines = RETURNS.split('\n')
  const truncated = readAnswers('nacha', lines.slice(0, 6).join('\n'))
  assert.deepEqual(truncated.faults, [{ line: 6, message: 'The file ends without a file control record.' }])
  const gap = readAnswers('nacha', [...lines.slice(0, 2), ...lines.slice(4)].join('\n'))
  assert.deepEqual(gap.faults, [
    { line: 8, message: 'The file control record counts "00000006" entries and addenda, but the file has 4.' },
  ])
})

test('the payout file itself is not mistaken for its response', () => {
  const { answers, faults } = judged(sent.join('\n'))
  assert.deepEqual([answers, faults.length], [[], 3])
})
