import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../errors.ts'
import { readStatement } from './read.ts'
import type { ReadOptions } from './statement.ts'

const options: ReadOptions = { currency: 'USD', today: '2026-11-21' }
const read = (lines: readonly string[], more: Partial<ReadOptions> = {}) =>
  readStatement(lines.join('\n'), { ...options, ...more })
const spent = (lines: readonly string[], more: Partial<ReadOptions> = {}) =>
  read(lines, more).rows.map((row) => `${row.day} ${row.description} ${row.spent}`)

test('statements from many banks are read', () => {
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

test('whether dates are day-first or month-first is inferred from all the dates in the file', () => {
  const file = (...dates: string[]) => ['Date,Description,Amount', ...dates.map((date) => `${date},X,-1`)]
  assert.deepEqual(spent(file('03/04/2026', '25/04/2026')), ['2026-04-03 X 100', '2026-04-25 X 100'])
  assert.deepEqual(spent(file('03/04/2026', '04/25/2026')), ['2026-03-04 X 100', '2026-04-25 X 100'])
  const assumed = read(file('03/04/2026'))
  assert.deepEqual(assumed.manner, { debits: 'negative', dates: 'month-first', datesAssumed: true })
  assert.deepEqual(spent(file('03/04/2026'), { dates: 'day-first' }), ['2026-04-03 X 100'])
})

test('a file that does not distinguish debits from credits is rejected until --debits is given', () => {
  const file = ['Date,Description,Amount', '2026-03-01,A,5', '2026-03-02,B,-5']
  assert.throws(() => read(file), /--debits/)
  assert.deepEqual(spent(file, { debits: 'positive' }), ['2026-03-01 A 500', '2026-03-02 B -500'])
})

test('each invalid row is reported with its line number, and no row is used', () => {
  const file = [
    'Date,Description,Amount',
    '2026-02-30,A,-1.00',
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
        'line 7: 2027-01-01 is in the future',
        'line 8: "one" is not an amount in USD',
      ])
      return true
    },
  )
})

test('a file that is not a statement is rejected with a one-sentence explanation', () => {
  assert.throws(() => read(['name,colour', 'a,b']), /no header with a date/)
  assert.throws(() => read(['Date,Description,Amount']), /no rows/)
  assert.throws(() => read(['Date,Description,Amount', '2026-01-01,"open,-1']), /not valid CSV/)
})

test('an amount split by its thousands separator is rejected with its line number instead of truncated', () => {
  const cut = ['Date,Description,Amount', '11/20/2026,COFFEE,-3.50', '11/21/2026,BIG SHOP,-1,200.50']
  assert.throws(
    () => read(cut),
    (error) => error instanceof UserError && error.details.some((detail) => detail.startsWith('line 3')),
  )
  assert.deepEqual(spent(['Date,Description,Amount', '2026-11-20,COFFEE,-3.50,']), ['2026-11-20 COFFEE 350'])
})

const refused = (file: readonly string[], more: Partial<ReadOptions> = {}): string => {
  try {
    read(file, more)
  } catch (error) {
    assert(error instanceof UserError, String(error))
    return [error.message, ...error.details].join(' ')
  }
  return assert.fail('it was read')
}

test('a direction column takes precedence, and a row whose sign contradicts it is an error', () => {
  const head = 'Date,Description,Amount,Transaction Type'
  const pay = '2026-03-02,PAYROLL,1500.00,credit'
  const rows = ['2026-03-01 SHELL 1250', '2026-03-02 PAYROLL -150000']
  assert.deepEqual(spent([head, '2026-03-01,SHELL,12.50,debit', pay]), rows)
  assert.deepEqual(spent([head, '2026-03-01,SHELL,-12.50,debit', pay]), rows)
  assert.deepEqual(spent([head, '2026-03-01,SHELL,12.50,D', '2026-03-02,PAYROLL,1500.00,C']), rows)
  assert.deepEqual(spent([head, '2026-03-01,SHELL,-12.50,CARD', pay.replace('credit', 'ACH')]), rows)
  const contradiction = [
    '2026-03-01,SHELL,-12.50,debit',
    '2026-03-03,KFC,-3.00,debit',
    '2026-03-02,PAYROLL,-1.00,credit',
  ]
  assert.match(refused([head, ...contradiction]), /line 4: it says credit, but its amount has the sign of the other/)
  assert.match(refused([head, '2026-03-01,SHELL,12.50,debit', '2026-03-02,X,1.00,']), /line 3: it does not say whether/)
})

test('unknown words in a direction column are rejected if no amount has a sign', () => {
  const file = ['Date,Description,Amount,Type', '2026-03-01,SHELL,12.50,Card', '2026-03-02,ACME,1500.00,Wages']
  assert.match(refused(file), /contains Card, Wages.*--money-in "Card".*--column "ignore=Type"/)
  const rows = ['2026-03-01 SHELL 1250', '2026-03-02 ACME -150000']
  assert.deepEqual(spent(file, { moneyIn: ['wages'] }), rows)
  assert.deepEqual(spent(file.slice(0, 2), { columns: { ignore: ['type'] } }), rows.slice(0, 1))
})

test('only completed rows are read, and an unknown status is rejected', () => {
  const file = (...states: string[]) => [
    'Date,Description,Amount,State',
    ...states.map((one) => `2026-03-01,X,-1,${one}`),
  ]
  const { rows, leftOut } = read(file('COMPLETED', 'REVERTED', 'PENDING', 'Declined', ''))
  assert.equal(rows.length, 2)
  assert.deepEqual(leftOut, { pending: 1, void: 2, otherCurrency: 0 })
  assert.match(refused(file('OK', 'NOK')), /contains unknown words.*OK, NOK.*--completed "OK".*ignore=State/)
  assert.equal(read(file('OK', 'NOK'), { completed: ['ok'] }).rows.length, 1)
  assert.equal(read(file('OK', 'NOK'), { columns: { ignore: ['State'] } }).rows.length, 2)
})

test('rows in another currency are left out, and a file with no rows in the requested one is rejected', () => {
  const head = 'Date,Description,Amount,Currency'
  const mixed = [head, '2026-03-01,A,-1.00,USD', '2026-03-01,B,-20000.00,JPY']
  assert.deepEqual(spent(mixed), ['2026-03-01 A 100'])
  assert.equal(read(mixed).leftOut.otherCurrency, 1)
  assert.deepEqual(spent(mixed, { currency: 'JPY' }), ['2026-03-01 B 20000'])
  assert.match(
    refused([head, '2026-03-01,B,-20000.00,JPY']),
    /No row of the file is in USD; the rows are in JPY.*--currency/,
  )
  const amount = (text: string, title = 'Amount') => [`Date;Description;${title}`, `2026-03-01;A;${text}`]
  for (const title of ['Amount (EUR)', 'Amount in EUR', 'Amount EUR', 'Amount (€)'])
    assert.match(refused(amount('-1.00', title)), /amounts are in (EUR|€), not in USD.*--currency/, title)
  for (const text of ['-1.00 EUR', '€1.00', '-20000 JPY', '£1'])
    assert.match(refused(amount(text)), /not an amount in USD/)
  for (const text of ['-1.00 USD', '-$1.00', '$-1.00', 'US$ -1']) assert.deepEqual(spent(amount(text)).length, 1, text)
})

test('an unknown column with recognizable values is rejected until the caller assigns or ignores it', () => {
  const file = (title: string, ...values: string[]) => [
    `Date,Description,Amount,${title}`,
    ...values.map((value, at) => `2026-03-0${at + 1},X${at},${at + 1}.00,${value}`),
  ]
  const cases = [
    ['direction', file('Flag', 'debit', 'credit'), ['2026-03-01 X0 100', '2026-03-02 X1 -200']],
    ['status', file('Flag', 'completed', 'declined'), ['2026-03-01 X0 100']],
    ['currency', file('Flag', 'USD', 'JPY'), ['2026-03-01 X0 100']],
  ] as const
  for (const [role, lines, rows] of cases) {
    assert.match(refused(lines), new RegExp(`The column Flag contains .*--column "${role}=Flag".*"ignore=Flag"`))
    assert.deepEqual(spent(lines, { columns: { [role]: ['Flag'] } }), rows)
    assert.equal(spent(lines, { columns: { ignore: ['Flag'] } }).length, 2)
  }
  for (const values of [
    ['completed', 'completed'],
    ['USD', 'USD'],
    ['debit', 'debit'],
    ['A', 'B'],
    ['', ''],
  ])
    assert.equal(spent(file('Flag', ...values)).length, 2, values.join())
})

test('columns with unknown titles can be assigned, and the error shows how', () => {
  const file = ['"Wann";"Was";"Wieviel"', '"3.11.2026";"LADEN";"-1,50"']
  assert.match(
    refused(file),
    /no header with a date.*Wann, Was, Wieviel.*--column "date=Wann" --column "description=Was"/,
  )
  const columns = { date: ['Wann'], description: ['was'], amount: ['Wieviel'] }
  assert.deepEqual(spent(file, { columns }), ['2026-11-03 LADEN 150'])
})

test('the decimal mark is detected from the amounts, and an ambiguous one is rejected', () => {
  const amounts = (currency: string, ...texts: string[]) =>
    read(['Date;Description;Amount', ...texts.map((text) => `2026-03-01;X;${text}`)], {
      currency,
      debits: 'negative',
    }).rows.map((row) => Number(row.spent))
  assert.deepEqual(amounts('CLP', '-12.000', '-1.500.000'), [12_000, 1_500_000])
  assert.deepEqual(amounts('JPY', '-1,234', '-20000.00'), [1234, 20_000])
  assert.deepEqual(amounts('EUR', '-1.000', '-12,50'), [100_000, 1250])
  assert.deepEqual(amounts('EUR', '-1.000.000', '-1.000'), [100_000_000, 100_000])
  assert.deepEqual(amounts('EUR', '-0.500', '-12.5000'), [50, 1250])
  assert.deepEqual(amounts('USD', '-1,234', '-56'), [123_400, 5600])
  assert.deepEqual(amounts('EUR', '-1.234', '-56'), [123_400, 5600])
  assert.deepEqual(amounts('INR', '-1,23,456.50'), [12_345_650])
  assert.deepEqual(amounts('CHF', "-1'234.50", '-1’234.50', '-1\u00a0234.50', '-1\u202f234.50'), [
    ...[123_450, 123_450, 123_450, 123_450],
  ])
  assert.deepEqual(amounts('EUR', '-１２，５０'), [1250])
  const file = ['Date;Description;Amount', '2026-03-01;X;-1.000']
  for (const currency of ['EUR', 'KWD'])
    assert.match(refused(file, { currency }), /"-1.000" is ambiguous.*--decimal point/)
  const readWith = (decimal: '.' | ',') => read(file, { currency: 'EUR', decimal }).rows.map((row) => Number(row.spent))
  assert.deepEqual([readWith('.'), readWith(',')], [[100], [100_000]])
  assert.match(
    refused([...file, '2026-03-01;Y;-12.50'], { currency: 'EUR' }),
    /line 2: "-1.000" is not an amount in EUR/,
  )
})

test('invalid rows are rejected with their line numbers, or skipped on request', () => {
  const file = ['Date,Description,Amount', '2026.11.03.,SHELL,-1.00', 'Total,,-1.00', '"End of file"']
  assert.match(
    refused(file),
    /2 rows are invalid.*--skip-invalid.*line 3: "Total" is not a date.*line 4: "End of file"/,
  )
  const { rows, skipped } = read(file, { skipInvalid: true })
  assert.deepEqual(
    rows.map(({ day }) => day),
    ['2026-11-03'],
  )
  assert.equal(skipped.length, 2)
  assert.match(refused([file[0] ?? '', ...file.slice(2)], { skipInvalid: true }), /Nothing was imported/)
})
