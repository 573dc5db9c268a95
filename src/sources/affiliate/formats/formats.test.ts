import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReportRows } from '../reports/report-rows.ts'
import { readDate } from '../sales/read-date.ts'
import { readSale } from '../sales/read-sale.ts'
import { buildFormat, overrideFault } from './index.ts'

const saleIn = (content: object, name: Parameters<typeof buildFormat>[0], overrides = {}) => {
  const read = readSale({ ...content }, buildFormat(name, overrides))
  assert('sale' in read, JSON.stringify(read))
  return read.sale
}
const impact = { ActionId: '7', Oid: '1', State: 'PENDING', Amount: '5.00', SubId1: 'abc' }

test('field names match regardless of case, spaces, underscores and nesting', () => {
  assert.equal(
    saleIn({ action_id: '7', oid: '1', status: 'PENDING', amount: '5', 'Sub Id 1': 'abc' }, 'impact').subId,
    'abc',
  )
  const awin = { id: 9, clickRefs: { clickRef: 'abc' }, saleAmount: { amount: 5, currency: 'GBP' } }
  const { subId, amount, currency, status } = saleIn(awin, 'awin')
  assert.deepEqual([subId, amount, currency, status], ['abc', '5', 'GBP', 'pending'])
})

test("an operator can rename a network's fields and supply values that the network never reports", () => {
  const fields = { sub_id: 'SubId2', currency: '=EUR', rows: 'data.items' }
  const { subId, currency } = saleIn({ ...impact, SubId2: 'other' }, 'impact', fields)
  assert.deepEqual([subId, currency], ['other', 'EUR'])
  assert.equal(buildFormat('generic', fields).rows, 'data.items')
  assert.equal(overrideFault(fields), null)
  for (const wrong of [{ size: 'x' }, { sub_id: [] }, { sub_id: 7 }, { rows: ['a', 'b'] }, { sub_id: '' }])
    assert.notEqual(overrideFault(wrong), null, JSON.stringify(wrong))
})

test('a lenient format permits a missing sub-id and treats a zero amount as a rejection', () => {
  assert.equal(saleIn({ ...impact, SubId1: ' ' }, 'impact').subId, '')
  const { status, amount } = saleIn({ ...impact, State: 'APPROVED', Amount: '0.00' }, 'impact')
  assert.deepEqual([status, amount], ['rejected', null])
  assert('faults' in readSale({ ...impact, Amount: undefined }, buildFormat('impact', {})))
})

test('only an additive record may be negative, and it requires a record number', () => {
  const cj = { commissionId: '9', orderId: '1', actionTrackerId: 4, actionStatus: 'locked', saleAmountUsd: '-5.123' }
  const { amount, currency, adds } = saleIn(cj, 'cj')
  assert.deepEqual([amount, currency, adds], ['-5.123', 'USD', true])
  assert('faults' in readSale({ ...cj, commissionId: '' }, buildFormat('cj', {})))
  assert('faults' in readSale({ ...impact, Amount: '-5' }, buildFormat('impact', {})))
})

test("dates are parsed only in the formats that a network's format lists", () => {
  const iso = (text: string, ...forms: Parameters<typeof readDate>[1]) =>
    readDate(text, forms)?.at.toISOString() ?? null
  assert.equal(iso('2013-06-13 12:05:00', 'utc'), '2013-06-13T12:05:00.000Z')
  assert.equal(iso('2013-06-13 12:05:00', 'day', 'instant'), null)
  assert.equal(iso('Wed Apr 30 2014 02:18:36 GMT+0200 (CEST)', 'javascript'), '2014-04-30T00:18:36.000Z')
  for (const text of ['Wed Foo 30 2014 02:18:36 GMT+0000', '04/05/2014', 'Wed Feb 31 2014 02:18:36 GMT+0000'])
    assert.equal(iso(text, 'day', 'instant', 'utc', 'javascript'), null, text)
})

test('a CSV can use any common delimiter, and each row includes its line number', () => {
  for (const separator of [',', ';', '\t']) {
    const text = ['Id', 'State', 'Amount'].join(separator)
    const read = readReportRows(`\uFEFF${text}\r\n\r\n7${separator}"A\nB"${separator}5\r\n`, buildFormat('impact', {}))
    assert.deepEqual(read, { rows: [{ line: 4, content: { Id: '7', State: 'A\nB', Amount: '5' } }] })
  }
  const quoted = readReportRows('"Id";"Amount"\n"7;8";"5"\n', buildFormat('impact', {}))
  assert.deepEqual(quoted, { rows: [{ line: 2, content: { Id: '7;8', Amount: '5' } }] })
  assert.deepEqual(readReportRows('', buildFormat('impact', {})), { fault: 'has no column Amount' })
  assert('fault' in readReportRows('Id,Amount\n1,2,3\n', buildFormat('impact', {})))
})

test('an ambiguous amount such as 1.000 is rejected unless the report reveals its decimal mark', () => {
  const report = (...amounts: string[]) =>
    readReportRows(['Id;Amount', ...amounts.map((one) => `7;${one}`)].join('\n'), buildFormat('impact', {}))
  assert.deepEqual(report('1.000', '20'), {
    fault: 'has amounts such as 1.000, which are ambiguous (thousands or decimals); write two decimal places',
  })
  assert('rows' in report('1.000', '20.50'))
  assert('rows' in report('12.5'))
})

test('a report that declares itself partial is rejected', () => {
  const part = { data: { publisherCommissions: { payloadComplete: false, records: [] } } }
  assert('fault' in readReportRows(JSON.stringify(part), buildFormat('cj', {})))
})
