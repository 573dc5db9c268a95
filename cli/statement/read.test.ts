import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../errors.ts'
import { type ReadOptions, readStatement } from './read.ts'

const options: ReadOptions = { currency: 'USD', today: '2026-11-21' }
const read = (lines: readonly string[], more: Partial<ReadOptions> = {}) =>
  readStatement(lines.join('\n'), { ...options, ...more })
const spent = (lines: readonly string[], more: Partial<ReadOptions> = {}) =>
  read(lines, more).rows.map((row) => `${row.day} ${row.description} ${row.spent}`)

test('statements of many banks are read', () => {
  const cases: readonly {
    readonly habit: string
    readonly file: readonly string[]
    readonly rows: readonly string[]
  }[] = [
    {
      habit: 'negative debits',
      file: ['Date,Description,Amount', '2026-03-01,SHELL,-12.50'],
      rows: ['2026-03-01 SHELL 1250'],
    },
    {
      habit: 'positive debits',
      file: ['Date,Description,Amount', '2026-03-01,SHELL,12.50', '2026-03-02,KFC,3', '2026-03-03,PAYMENT,-20'],
      rows: ['2026-03-01 SHELL 1250', '2026-03-02 KFC 300', '2026-03-03 PAYMENT -2000'],
    },
    {
      habit: 'columns in another order',
      file: ['Amount,Transaction Date,Posting Date,Payee', '-1,03/25/2026,03/27/2026,SHELL'],
      rows: ['2026-03-25 SHELL 100'],
    },
    {
      habit: 'a debit and a credit column',
      file: ['Date;Details;Money out;Money in', '25.03.2026;SHELL;1.234,50;', '26.03.2026;SHELL;;1.234,50'],
      rows: ['2026-03-25 SHELL 123450', '2026-03-26 SHELL -123450'],
    },
    {
      habit: 'both columns filled, one with zero',
      file: ['Date,Memo,Debit,Credit', '2026-03-01,SHELL,5.00,0.00', '2026-03-02,SHELL,0.00,2.00'],
      rows: ['2026-03-01 SHELL 500', '2026-03-02 SHELL -200'],
    },
    {
      habit: 'lines above the header, a mark at its start',
      file: [
        '\uFEFFAccount 1234',
        'Period,"January, 2026"',
        '',
        'Date,Description,Amount (USD)',
        '2026-01-02,"A ""B"", C",($1,000.00)'.replace('($1,000.00)', '"($1,000.00)"'),
      ],
      rows: ['2026-01-02 A "B", C 100000'],
    },
    {
      habit: 'months by name',
      file: ['Date\tNarrative\tAmount', '5 Mar 2026\tSHELL\t-1', 'Mar 6, 2026\tSHELL\t-1', '07-Mar-26\tSHELL\t-1'],
      rows: ['2026-03-05 SHELL 100', '2026-03-06 SHELL 100', '2026-03-07 SHELL 100'],
    },
    {
      habit: 'a time after the day',
      file: ['Date,Description,Amount', '2026-03-01T23:59:00Z,SHELL,-1.00', '20260302,SHELL,-1.00'],
      rows: ['2026-03-01 SHELL 100', '2026-03-02 SHELL 100'],
    },
    {
      habit: 'signs behind the amount',
      file: [
        'Date,Description,Amount',
        '2026-03-01,SHELL,1.00-',
        '2026-03-02,SHELL,2.00 DR',
        '2026-03-03,SHELL,3.00 CR',
      ],
      rows: ['2026-03-01 SHELL 100', '2026-03-02 SHELL 200', '2026-03-03 SHELL -300'],
    },
  ]
  for (const { habit, file, rows } of cases) assert.deepEqual(spent(file), rows, habit)
})

test('all dates of a file decide together whether the day or the month comes first', () => {
  const file = (...dates: string[]) => ['Date,Description,Amount', ...dates.map((date) => `${date},X,-1`)]
  assert.deepEqual(spent(file('03/04/2026', '25/04/2026')), ['2026-04-03 X 100', '2026-04-25 X 100'])
  assert.deepEqual(spent(file('03/04/2026', '04/25/2026')), ['2026-03-04 X 100', '2026-04-25 X 100'])
  const assumed = read(file('03/04/2026'))
  assert.deepEqual(assumed.manner, { debits: 'negative', dates: 'month-first', datesAssumed: true })
  assert.deepEqual(spent(file('03/04/2026'), { dates: 'day-first' }), ['2026-04-03 X 100'])
})

test('a file that does not tell debits from credits asks, and takes the answer', () => {
  const file = ['Date,Description,Amount', '2026-03-01,A,5', '2026-03-02,B,-5']
  assert.throws(() => read(file), /--debits/)
  assert.deepEqual(spent(file, { debits: 'positive' }), ['2026-03-01 A 500', '2026-03-02 B -500'])
})

test('each faulty row is named with its line, and nothing of the file is used', () => {
  const file = [
    'Date,Description,Amount',
    '2026-02-30,A,-1',
    '2026-03-01,"two',
    'lines",-1',
    '2026-03-02,,-1',
    '2026-03-03,C,-1.005',
    '2027-01-01,D,-1',
    '2026-03-04,E,one',
  ]
  assert.throws(
    () => read(file),
    (error: unknown) => {
      assert(error instanceof UserError)
      assert.deepEqual(error.details, [
        'line 2: "2026-02-30" is not a date',
        'line 5: the description is empty',
        'line 6: "-1.005" is not an amount in USD',
        'line 7: 2027-01-01 has not come yet',
        'line 8: "one" is not an amount in USD',
      ])
      return true
    },
  )
})

test('a file that is not a statement is refused in one sentence', () => {
  assert.throws(() => read(['name,colour', 'a,b']), /no header with a date/)
  assert.throws(() => read(['Date,Description,Amount']), /no rows/)
  assert.throws(() => read(['Date,Description,Amount', '2026-01-01,"open,-1']), /not CSV/)
})

test('an amount that a thousands separator cuts in two is refused by its line, not read as its first half', () => {
  const cut = ['Date,Description,Amount', '11/20/2026,COFFEE,-3.50', '11/21/2026,BIG SHOP,-1,200.50']
  assert.throws(
    () => read(cut),
    (error) => error instanceof UserError && error.details.some((detail) => detail.startsWith('line 3')),
  )
  assert.deepEqual(spent(['Date,Description,Amount', '2026-11-20,COFFEE,-3.50,']), ['2026-11-20 COFFEE 350'])
})
