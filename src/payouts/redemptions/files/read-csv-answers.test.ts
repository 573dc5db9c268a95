import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswers } from './read-answers.ts'
import { GERMAN, makeEntries, makeFile, makeReference } from './testing.ts'
import { writePayoutFile } from './write-file.ts'

const [first, second, third] = [makeReference(1), makeReference(2), makeReference(3)]

test('each row is an answer, with columns in any order', () => {
  const text = `message,Status,reference,code\r\n`.replace('Status', 'status')
  const { answers, faults } = readAnswers(
    'csv',
    `\uFEFF${text},paid,${first},\r\n"closed, sorry",Returned,${second},AC04\r\n\r\n,,,\r\n , failed , ${third} ,R03\r\n`,
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(answers, [
    { line: 2, reference: first, outcome: 'paid', code: null, message: null, amount: null, currency: null },
    {
      line: 3,
      reference: second,
      outcome: 'unpaid',
      code: 'AC04',
      message: 'closed, sorry',
      amount: null,
      currency: null,
    },
    { line: 6, reference: third, outcome: 'unpaid', code: 'R03', message: null, amount: null, currency: null },
  ])
})

test('only reference and status are required; commas, semicolons, tabs or pipes can separate them', () => {
  for (const mark of [',', ';', '\t', '|']) {
    const text = `"reference"${mark}"status"\n"${first}"${mark}"paid"`
    const { answers, faults } = readAnswers('csv', text)
    assert.deepEqual([answers.length, faults], [1, []], JSON.stringify(text))
  }
  const quoted = readAnswers('csv', `reference,status,"message"\n${first},failed,"closed; sorry, ask ""us"""`)
  assert.deepEqual([quoted.answers[0]?.message, quoted.faults], ['closed; sorry, ask "us"', []])
})

test('a semicolon in a header does not make it the delimiter', () => {
  const { faults } = readAnswers('csv', `reference,status,"note; internal"\n${first},paid,x`)
  assert.match(faults[0]?.message ?? '', /^Unknown columns: "note; internal"\./)
})

test('an invalid row is reported by line number, and the other rows are read', () => {
  const { answers, faults } = readAnswers(
    'csv',
    [
      'reference,status,code',
      'x,paid,',
      `${first},sent,`,
      `${second},paid`,
      `${third},paid,`,
      `${third},paid,a b`,
    ].join('\n'),
  )
  assert.deepEqual(
    answers.map(({ line }) => line),
    [5],
  )
  assert.deepEqual(faults, [
    { line: 2, message: '"x" is not a payout file reference, which consists of 26 digits or uppercase letters.' },
    { line: 3, message: '"sent" is not a status. Statuses are paid, failed, returned.' },
    { line: 4, message: 'The row has 2 cells, but the header row has 3.' },
    { line: 6, message: '"a b" is not a valid code.' },
  ])
})

test('unknown, missing and repeated columns are reported', () => {
  const table: [string, string][] = [
    [
      'reference,status,fee,note',
      'Unknown columns: "fee", "note". Known columns are reference, status, code, message.',
    ],
    ['reference,code', 'The header row lacks the column status.'],
    ['reference,status,status', 'A column appears twice.'],
  ]
  for (const [head, message] of table) {
    assert.deepEqual(readAnswers('csv', `${head}\n${first},paid,x`).faults, [{ line: 1, message }])
  }
  const { faults } = readAnswers('csv', `reference,status\n${first},paid\n"${second},paid`)
  assert.equal(faults.length, 1)
  assert.match(faults[0]?.message ?? '', /^The file is not valid CSV from line 3 on: a quote is never closed/)
})

test('the payout file itself is not mistaken for its response', () => {
  const { answers, faults } = readAnswers('csv', writePayoutFile('csv', makeFile(makeEntries([1n, GERMAN]))))
  assert.deepEqual([answers, faults.length], [[], 1])
})
