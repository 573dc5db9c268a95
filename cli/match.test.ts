import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { testDatabase } from '../test/support/postgres.ts'
import { parseBrand } from './match/brands.ts'
import { dataFolder, laurel, laurelJson, laurelProcess } from './test-support.ts'

const folder = await dataFolder()
const env = { LAUREL_DATA_DIR: folder }
const path = (name: string): string => join(folder, name)
const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const brands = path('brands.jsonl')
await writeFile(
  brands,
  jsonLines([
    {
      id: 'b:1',
      name: 'Zephyrine Outfitters',
      aliases: ['Zephyrine'],
      website: 'zephyrine.example',
      countries: ['us'],
    },
    { id: 'b:2', name: 'Quillfeather Books', aliases: [], category: ['shop/books'], countries: ['001'], website: null },
  ]),
)

async function answersIn(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('each row of a file gets one result, in order and under its own id', async () => {
  const rows = [
    { id: 'r1', descriptor: 'SQ *QUILLFEATHER BOOKS 0423 OAKLAND CA', brand: 'passed over' },
    { id: 2, descriptor: 'MILLERS HARDWARE TOLEDO OH', mcc: null },
    { id: 'r3', merchant_name: 'Zephyrine Outfitters', country: 'us' },
    { id: 'r4', descriptor: 'ONLINE ORDER', website: 'https://www.zephyrine.example/cart' },
  ]
  // The last line may lack a line ending, and some editors write CRLF.
  await writeFile(path('rows.jsonl'), jsonLines(rows).trimEnd().replaceAll('\n', '\r\n'))
  const call = ['match', '--catalog', brands, '--in', path('rows.jsonl'), '--out', path('result.jsonl')]
  const counts = await laurelJson(call, env)
  assert.deepEqual([counts.rows, counts.automatic + counts.review, counts.none], [4, 3, 1])
  const answers = await answersIn(path('result.jsonl'))
  assert.deepEqual(
    answers.map(({ id, band, brand_id }) => [id, band, brand_id]),
    [
      ['r1', 'automatic', 'b:2'],
      [2, 'none', null],
      ['r3', 'automatic', 'b:1'],
      ['r4', 'automatic', 'b:1'],
    ],
  )
  assert.deepEqual(Object.keys(answers[0] ?? {}), [
    ...['id', 'band', 'brand_id', 'score', 'method', 'reason', 'evidence', 'runner_up'],
  ])
  const printed = await laurel([...call.slice(0, -2), '--out', '-'], env)
  assert.equal(printed.stdout, await readFile(path('result.jsonl'), 'utf8'))
  const piped = await laurel(['match', '--catalog', brands, '--in', '-'], env, jsonLines(rows))
  assert.equal(piped.stdout, printed.stdout)
})

test('a malformed line is reported by file and line number, and an existing output file stays intact', async () => {
  const good = { id: 'r1', descriptor: 'QUILLFEATHER BOOKS' }
  const table: [second: string | Buffer, fault: RegExp][] = [
    ['{"id": "r2", "descr', /broken\.jsonl, line 3 is not valid JSON\./],
    ['["r2"]', /broken\.jsonl, line 3 is not a JSON object\./],
    ['{"descriptor": "A"}', /broken\.jsonl, line 3 has no id\./],
    [
      '{"id": "r2", "mcc": ["5411"]}',
      /broken\.jsonl, line 3 has a value for mcc that is neither a string nor a number\./,
    ],
    [Buffer.from('{"id": "r2", "descriptor": "CAF\xc9"}', 'latin1'), /broken\.jsonl is not encoded in UTF-8/],
  ]
  await writeFile(path('kept.jsonl'), 'as it was')
  for (const [second, fault] of table) {
    // A blank line is not a row, but it counts as a line.
    const parts = [`${jsonLines([good])}\n`, second, `\n${jsonLines([good])}`]
    await writeFile(path('broken.jsonl'), Buffer.concat(parts.map((part) => Buffer.from(part))))
    const call = ['match', '--catalog', brands, '--in', path('broken.jsonl'), '--out', path('kept.jsonl')]
    const ended = await laurel(call, env)
    assert.equal(ended.code, 1)
    assert.match(ended.stderr, fault)
    assert.equal(await readFile(path('kept.jsonl'), 'utf8'), 'as it was')
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('draft')),
      [],
    )
  }
})

test('errors in a catalog file are reported with the line or the brand', async () => {
  const table: [text: string, fault: RegExp][] = [
    ['{"id": "b:1"}\n', /odd\.jsonl, line 1 has no name\./],
    ['{"id": "b:1", "name": "A"}\n{"id": "b:1", "name": "B"}\n', /odd\.jsonl has the brand b:1 more than once\./],
    ['{"id": "b:1", "name": "A", "aliases": "B"}\n', /odd\.jsonl, line 1: aliases must be a list of strings\./],
    ['id,name\n', /odd\.jsonl, line 1 is not valid JSON\./],
  ]
  for (const [text, fault] of table) {
    await writeFile(path('odd.jsonl'), text)
    const ended = await laurel(['match', '--catalog', path('odd.jsonl'), 'QUILLFEATHER BOOKS'], env)
    assert.equal(ended.code, 1)
    assert.match(ended.stderr, fault)
  }
})

const catalog = {
  categories: [{ category_id: 1, category: 'BOOKS' }],
  brands: [
    { category_id: 1, category: 'BOOKS', brand_uid: 'quill', name: 'Quillfeather Books', merchant_ids: ['MID-1'] },
    { category_id: 1, brand_uid: 'gone', name: 'Zephyrine Outfitters', retired: true },
  ],
}

test('a catalog import file can serve as the catalog, with its uids and without retired brands', async () => {
  await writeFile(path('catalog.json'), JSON.stringify(catalog))
  const of = ['match', '--catalog', path('catalog.json')]
  assert.equal((await laurelJson([...of, 'QUILLFEATHER BOOKS'], env)).brand_id, 'quill')
  const { band, brand_id } = await laurelJson([...of, 'ZEPHYRINE OUTFITTERS'], env)
  assert.deepEqual([band, brand_id], ['none', null])
})

test("the service's own catalog is used by default, and the evidence is printed in readable form", async () => {
  await writeFile(path('catalog.json'), JSON.stringify(catalog))
  const service = { ...env, DATABASE_URL: (await testDatabase('match')).url }
  await laurelJson(['catalog', 'import', path('catalog.json')], service)
  const found = await laurel(['match', 'SQ *QUILLFEATHER', 'BOOKS 0423'], service)
  assert.equal(found.code, 0, found.stderr)
  assert.match(found.stdout, /^band +automatic$/m)
  assert.match(found.stdout, /^brand +Quillfeather Books \(quill\)$/m)
  assert.match(found.stdout, /^score +\S+, by the name$/m)
  assert.match(found.stdout, /^evidence +merchant_descriptor "SQ \*QUILLFEATHER BOOKS 0423": quillfeather books/m)
  assert.match(found.stdout, /^key +quillfeather books$/m)
  const unknown = await laurel(['match', 'MILLERS HARDWARE'], service)
  assert.match(unknown.stdout, /^band +none: no brand has this name$/m)
  const publisher = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], service)
  const call = ['match', 'SQ *QUILLFEATHER BOOKS 0423', '--publisher', publisher.publisher_id]
  const seen = await laurelJson(call, service)
  assert.deepEqual([seen.brand_id, seen.brand, seen.band], ['quill', 'Quillfeather Books', 'automatic'])
})

test('contradictory or invalid options are rejected', async () => {
  for (const call of [
    [],
    ['--catalog', brands],
    ['A', '--in', path('rows.jsonl'), '--catalog', brands],
    ['A', '--catalog', brands, '--publisher', 'pub_00000000000000000000000000'],
  ])
    assert.equal((await laurel(['match', ...call], env)).code, 2, call.join(' '))
  const of = ['match', 'QUILLFEATHER BOOKS', '--catalog', brands]
  for (const [option, values] of [
    ['--mcc', ['54', '54111', 'food', '']],
    ['--country', ['usa', 'u', '1', '']],
  ] as const) {
    for (const value of values) {
      const refused = await laurel([...of, option, value], env)
      assert.deepEqual([refused.code, refused.stdout], [2, ''], `${option} ${value}`)
      assert.match(refused.stderr, new RegExp(`^${option} must be [^\\n]+, not "${value}"\\.\\n$`))
    }
  }
  assert.equal((await laurel([...of, '--mcc', '5942', '--country', 'US'], env)).code, 0)
})

test('tags are mapped to merchant category codes, and state codes include their country', () => {
  const members = {
    name: 'Quillfeather Books',
    category: ['shop/books', 'amenity/cafe', 'shop/unknown'],
    countries: ['us-ny.geojson', 'US', 'gb-eng', '150', 'point', 'q35'],
  }
  const { mccs, countries, brandUid } = parseBrand(members, 'here')
  assert.deepEqual([countries, brandUid], [['us-ny', 'us', 'gb'], 'Quillfeather Books'])
  assert.deepEqual([mccs.includes('5942'), mccs.includes('5814'), new Set(mccs).size], [true, true, mccs.length])
})

const MANY_ROWS = 200_000

test('a file of any length is matched in constant memory', async () => {
  const rows = createWriteStream(path('many.jsonl'))
  for (let from = 0; from < MANY_ROWS; from += 1_000) {
    const bunch = Array.from({ length: 1_000 }, (_, at) => ({
      id: `row-${from + at}`,
      descriptor: `${at % 2 === 0 ? 'QUILLFEATHER BOOKS' : 'MILLERS HARDWARE'} 0423 OAKLAND CA`,
    }))
    if (!rows.write(jsonLines(bunch))) await once(rows, 'drain')
  }
  rows.end()
  await once(rows, 'close')
  // Holding all rows and results in memory would exceed this limit.
  const small = { ...env, NODE_OPTIONS: '--max-old-space-size=96' }
  const call = ['match', '--catalog', brands, '--in', path('many.jsonl'), '--out', path('answers.jsonl'), '--json']
  const { code, stdout, stderr } = await laurelProcess(call, small)
  assert.equal(code, 0, stderr)
  const counts = JSON.parse(stdout)
  assert.deepEqual([counts.rows, counts.automatic], [MANY_ROWS, MANY_ROWS / 2])
  let at = 0
  for await (const line of createInterface({ input: createReadStream(path('answers.jsonl')) }))
    assert(line.startsWith(`{"id":"row-${at++}",`))
  assert.equal(at, MANY_ROWS)
})
