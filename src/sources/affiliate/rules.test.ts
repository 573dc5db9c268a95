import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toMinor } from '../../platform/money.ts'
import { generic } from './formats/generic.ts'
import { buildAddress, type Content, completeTemplate, findTemplateFault, isRunning } from './rules.ts'
import { readSale as saleIn } from './sales/read-sale.ts'

const readGenericSale = (content: Content) => saleIn(content, generic)

test('only an https URL with a fixed host can be a template', () => {
  const cases: [string, string | null][] = [
    ['https://shop.example/go?sub={sub_id}', null],
    ['https://shop.example/{sub_id}/go', null],
    ['https://shop.example', null],
    ['http://shop.example/?s={sub_id}', 'must use https'],
    ['javascript:alert(1)', 'must use https'],
    ['//shop.example/', 'must be an absolute URL'],
    ['shop.example', 'must be an absolute URL'],
    ['https://{sub_id}.example/', 'must contain {sub_id} only after its host'],
    ['https://shop.example{sub_id}', 'must contain {sub_id} only after its host'],
    ['https://user:pw@shop.example/', 'must not contain a user name or password'],
  ]
  for (const [template, fault] of cases) assert.equal(findTemplateFault(template), fault, template)
})

test('a template without a placeholder gets the sub-id as a query parameter', () => {
  assert.equal(completeTemplate('https://a.example/x'), 'https://a.example/x?sub_id={sub_id}')
  assert.equal(completeTemplate('https://a.example/x?y=1#top'), 'https://a.example/x?y=1&sub_id={sub_id}#top')
  assert.equal(completeTemplate('https://a.example/{sub_id}'), 'https://a.example/{sub_id}')
  assert.equal(buildAddress('https://a.example/{sub_id}?again={sub_id}', 'ab12'), 'https://a.example/ab12?again=ab12')
})

test("no sub-id can change the host of a template's URL", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (subId) => {
      const address = new URL(buildAddress(completeTemplate('https://shop.example/go'), subId))
      assert.equal(address.host, 'shop.example')
      assert.equal(address.searchParams.get('sub_id'), subId)
    }),
  )
})

test('a program runs from its first to its last day, inclusive', () => {
  const program = {
    offerUid: 'o',
    network: 'n',
    addressTemplate: '',
    currency: 'USD',
    firstDay: '2026-01-02',
    lastDay: '2026-01-03',
  }
  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']
  assert.deepEqual(
    days.map((day) => isRunning(program, day)),
    [false, true, true, false],
  )
})

const whole = { sub_id: 'ab12', order_id: '1001', amount: '84.50', status: 'approved' }

test('whitespace around a value is ignored', () => {
  const padded = Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, ` ${value} `]))
  assert.deepEqual(readGenericSale(padded), readGenericSale(whole))
})

test("a report's values can be JSON numbers or strings", () => {
  for (const content of [whole, { ...whole, order_id: 1001, amount: 84.5 }]) {
    const read = readGenericSale(content)
    assert('sale' in read)
    assert.equal(read.sale.orderId, '1001')
    assert.equal(toMinor(read.sale.amount ?? '', 'USD'), 8_450n)
    assert.equal(read.sale.status, 'approved')
  }
})

test("a network's own status terms are recognized", () => {
  const words = {
    pending: ['Pending', 'on hold', 'NEW'],
    approved: ['confirmed', 'Locked', 'paid'],
    rejected: ['declined', 'canceled', 'Reversed'],
  }
  for (const [status, said] of Object.entries(words)) {
    for (const word of said) {
      const read = readGenericSale({ ...whole, status: word })
      assert.equal('sale' in read ? read.sale.status : read.faults[0]?.field, status, word)
    }
  }
})

test('every unreadable field of a report is listed', () => {
  const cases: [object, string][] = [
    [{ sub_id: undefined }, 'sub_id'],
    [{ sub_id: { a: 1 } }, 'sub_id'],
    [{ order_id: undefined }, 'order_id'],
    [{ order_id: 'x'.repeat(256) }, 'order_id'],
    [{ amount: undefined }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '-5' }, 'amount'],
    [{ amount: '1e9' }, 'amount'],
    [{ amount: '12,50' }, 'amount'],
    [{ currency: 'dollars' }, 'currency'],
    [{ status: 'maybe' }, 'status'],
    [{ status: undefined }, 'status'],
    [{ date: '2026-02-30' }, 'date'],
    [{ date: 'yesterday' }, 'date'],
    [{ note: 'a\u0000b' }, 'note'],
  ]
  for (const [change, field] of cases) {
    const read = readGenericSale({ ...whole, ...change })
    assert('faults' in read, field)
    assert.deepEqual([...new Set(read.faults.map((fault) => fault.field))], [field])
  }
})

test('only a rejection may omit its amount', () => {
  for (const amount of [undefined, '', '0', 0, '0.00']) {
    const read = readGenericSale({ ...whole, status: 'rejected', amount })
    assert.equal('sale' in read && read.sale.amount, null)
  }
})

test('an amendment to zero remains an amendment in strict and lenient formats', () => {
  for (const format of [generic, { ...generic, isLenient: true }]) {
    const read = saleIn({ ...whole, status: 'amended', amount: '0.00' }, format)
    assert.deepEqual('sale' in read && [read.sale.status, read.sale.amount], ['amended', '0'])
  }
})

test('reading a report never throws, for any input', () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (content) => void readGenericSale(content)))
  const member = fc.constantFrom('sub_id', 'order_id', 'amount', 'status', 'currency', 'date')
  fc.assert(
    fc.property(fc.dictionary(member, fc.jsonValue()), (content) => void readGenericSale({ ...whole, ...content })),
  )
})
