import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { PayoutAccount } from './bank-account.ts'
import { CHECKING, GERMAN, makeEntries, makeFile, makeReference, PAYER, SAVINGS } from './testing.ts'
import { rewritePayoutFile, writePayoutFile } from './write-file.ts'

test('each kind of account has its own columns, and the payer needs no bank details', () => {
  const payer = { ...PAYER, nacha: null, account: null }
  const text = writePayoutFile('csv', makeFile(makeEntries([1234n, CHECKING], [5n, GERMAN]), { payer }))
  assert.deepEqual(text.split('\r\n'), [
    'reference,amount,currency,holder_name,type,routing_number,account_number,account_type,iban,bic',
    `${makeReference(1)},12.34,USD,Ada Lovelace,us_bank_account,021000021,123456789,checking,,`,
    `${makeReference(2)},0.05,USD,Jörg Weiß & Söhne,iban,,,,DE89370400440532013000,COBADEFFXXX`,
    '',
  ])
})

test('names that a spreadsheet would treat as formulas are escaped, and leading zeros are preserved', () => {
  const names = ['=HYPERLINK("https://example.com","x")', '+1 A', '-a', '@a', '＝a', 'a "b", c']
  const rows = names.map((holderName): [bigint, PayoutAccount] => [1n, { ...SAVINGS, holderName }])
  const read = parse(writePayoutFile('csv', makeFile(makeEntries(...rows))), { columns: true }) as Record<
    string,
    string
  >[]
  assert.deepEqual(
    read.map((row) => row['holder_name']),
    ['\'=HYPERLINK("https://example.com","x")', "'+1 A", "'-a", "'@a", "'＝a", 'a "b", c'],
  )
  for (const row of read) assert.equal(row['account_number'], '00012345678901234')
})

test('a file written before the formula guard covered small and hidden equals signs is restored unchanged', () => {
  const names = ['﹦1', '\u200B=1', '＝1', '=1']
  const rows = names.map((holderName): [bigint, PayoutAccount] => [1n, { ...SAVINGS, holderName }])
  const file = makeFile(makeEntries(...rows))
  const present = writePayoutFile('csv', file)
  const former = present.replace("'﹦1", '﹦1').replace("'\u200B=1", '\u200B=1')
  for (const text of [present, former])
    assert.equal(
      rewritePayoutFile('csv', file, (one) => one === text),
      text,
    )
  assert.equal(
    rewritePayoutFile('csv', file, () => false),
    undefined,
  )
})
