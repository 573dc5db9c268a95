import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsvFile } from './read-csv.ts'

const AMBIGUOUS = 'is ambiguous (thousands or decimals); write two decimal places'

const csv = (...lines: string[]): string => lines.join('\n')

test('rows with the same brand form one brand with several offers', () => {
  const read = readCsvFile(
    csv(
      'brand_uid,brand_name,category_id,category,aliases,name,offer_type,reward_type,commission_rate,denominations,one_time_use',
      'brd_a,Acme,3,ELECTRONICS,ACME INC|acme.com,Five,CARD_LINKED,CASHBACK_PERCENTAGE,5,,yes',
      'brd_b,Bolt,3,,,,,,,,',
      'brd_a,Acme,3,ELECTRONICS,,Cards,GIFT_CARD,CASHBACK_PERCENTAGE,4.5,25|50,false',
    ),
  )
  assert.deepEqual(read.faults, [])
  assert.deepEqual(read.value, {
    brands: [
      {
        brand_uid: 'brd_a',
        name: 'Acme',
        category_id: '3',
        category: 'ELECTRONICS',
        aliases: ['ACME INC', 'acme.com'],
        offers: [
          {
            name: 'Five',
            offer_type: 'CARD_LINKED',
            reward_type: 'CASHBACK_PERCENTAGE',
            one_time_use: true,
            commission: { rate: 5 },
          },
          {
            name: 'Cards',
            offer_type: 'GIFT_CARD',
            reward_type: 'CASHBACK_PERCENTAGE',
            denominations: [25, 50],
            one_time_use: false,
            commission: { rate: 4.5 },
          },
        ],
      },
      { brand_uid: 'brd_b', name: 'Bolt', category_id: '3', offers: [] },
    ],
  })
  assert.equal(read.findLine(['brands', 0, 'offers', 1, 'name']), 4)
  assert.equal(read.findLine(['brands', '1', 'website']), 3)
})

test("a plain name column is the brand's if there is no brand_name column", () => {
  const read = readCsvFile(csv('name,category_id,offer_name,offer_type', 'Acme,3,Five,CARD_LINKED'))
  assert.deepEqual(read.value, {
    brands: [{ name: 'Acme', category_id: '3', offers: [{ name: 'Five', offer_type: 'CARD_LINKED' }] }],
  })
})

test('fields that brands and offers share can be set for each separately', () => {
  const read = readCsvFile(
    csv(
      'brand_name,brand_description,brand_reward_type,description,reward_type,offer_description',
      'A,of brand,X,of offer,Y,best',
    ),
  )
  assert.deepEqual(read.value, {
    brands: [
      {
        name: 'A',
        description: 'of brand',
        reward_type: 'X',
        offer_description: 'best',
        offers: [{ description: 'of offer', reward_type: 'Y' }],
      },
    ],
  })
})

test('cells may contain JSON for structured fields, and quoted commas or line breaks', () => {
  const read = readCsvFile(
    'name,category_id,terms_and_conditions,store_addresses\nA,1,"One,\ntwo","[{""city"":""Reno"",""state"":null}]"\n',
  )
  const offer = { terms_and_conditions: 'One,\ntwo', store_addresses: [{ city: 'Reno' }] }
  assert.deepEqual(read.value, { brands: [{ name: 'A', category_id: '1', offers: [offer] }] })
})

test('a repeated brand that differs from its first row is reported with its line', () => {
  const read = readCsvFile(csv('brand_uid,name,website', 'b,A,a.example', 'b,A,other.example'))
  assert.deepEqual(
    read.faults.map((fault) => [read.findLine(fault.path), fault.path.at(-1), fault.message]),
    [[3, 'website', 'differs from line 2']],
  )
})

test('files saved by spreadsheet programs in any locale are read', () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const lines = [['"name"', '"category_id"', '"offer_name"'].join(delimiter), ['"A;,B"', '3', 'Five'].join(delimiter)]
    assert.deepEqual(readCsvFile(`\uFEFF${lines.join('\r\n')}`).value, {
      brands: [{ name: 'A;,B', category_id: '3', offers: [{ name: 'Five' }] }],
    })
  }
  const other = readCsvFile(csv('"Farbe";"Form"', '"rot";"rund"'))
  assert.match(other.faults[0]?.message ?? '', /^has no catalog columns, only Farbe, Form$/)
})

test('unknown columns and malformed rows are reported', () => {
  const unknown = readCsvFile(csv('name,colour', 'A,red'))
  assert.deepEqual(unknown.faults, [{ path: ['colour'], message: 'is not a known column' }])
  const broken = readCsvFile(csv('name,website', 'A', 'B,b.example'))
  assert.match(broken.faults[0]?.message ?? '', /^must have 2 cells like the header row, but has 1$/)
  assert.equal(broken.findLine([]), 2)
})

test('an ambiguous number such as 1.000 is reported unless its column reveals the decimal separator', () => {
  const findFaults = (column: string, ...cells: readonly string[]) => {
    const read = readCsvFile(csv(`name,offer_name,${column}`, ...cells.map((cell, at) => `A,O${at},${cell}`)))
    return read.faults.map(({ path, message }) => `${read.findLine(path)} ${path.at(-1)} ${message}`)
  }
  assert.deepEqual(findFaults('max_spend', '500', '1.000'), [`3 max_spend 1.000 ${AMBIGUOUS}`])
  const denominations = [`2 denominations 2.500 ${AMBIGUOUS}`]
  assert.deepEqual(findFaults('denominations', '500|2.500'), denominations)
  assert.deepEqual(findFaults('max_spend', '1.000', '2.50'), [])
  assert.deepEqual(findFaults('commission_rate', '5.000', '2.125'), [])
  assert.deepEqual(findFaults('customer_offer', '2.125'), [])
})

test('a cell of the wrong type is left for the schema to report', () => {
  const read = readCsvFile(csv('name,min_spend,one_time_use', 'A,ten,perhaps'))
  assert.deepEqual(read.value, { brands: [{ name: 'A', offers: [{ min_spend: 'ten', one_time_use: 'perhaps' }] }] })
})
