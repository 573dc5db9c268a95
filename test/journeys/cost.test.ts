import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { isBusy } from '../support/app.ts'
import { openApp } from '../support/injected-app.ts'
import type { Schema } from '../support/openapi.ts'
import { sample } from '../support/runs.ts'
import { buildAddress, type Operation, operationsIn } from './operations.ts'
import type { Row } from './row.ts'

// Measures how long the most expensive request to each operation blocks the event loop. The measure is the least CPU
// time that this thread used in several tries, which other load on the machine hardly affects.

const KIB = 1024
const BODY_BYTES = 1024 * KIB
const BATCH_BYTES = 10 * BODY_BYTES
// Costs are at most about 50 ms on an idle machine. Neighbors on the same core and cold caches can double that.
const COST_MAX_MS = 100
const TRIES = 8
/** Operations that read their input in slices. The limit applies to each slice. */
const BATCHES = ['reportTransactions', 'importCatalog', 'putAssortment']

const { app, keys, operators } = await openApp('cost', [null])
const operations = operationsIn((await app.inject('/openapi.json')).json())

type Costly = { readonly what: string; readonly request: Row; readonly body?: string; readonly headers?: object }

/** Sends a request, retrying while the service is busy. */
async function ask(operation: Operation, { request, body, headers }: Costly) {
  const key = operation.row.scope === 'operator' ? operators.get('admin') : keys[0]
  const payload = body === undefined ? undefined : Buffer.from(body)
  for (;;) {
    const answer = await app.inject({
      method: operation.method as 'POST',
      url: buildAddress(operation, request, (text) => text),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    if (!isBusy(answer.statusCode, answer.statusCode === 503 ? answer.json() : null)) return answer.statusCode
    await setTimeout(100)
  }
}

/** Measures the total CPU time of a request. */
async function measureCost(operation: Operation, costly: Costly): Promise<{ status: number; ms: number }> {
  const begun = usedMs()
  const status = await ask(operation, costly)
  return { status, ms: usedMs() - begun }
}

/** Measures the longest uninterrupted part of a request. */
async function measureLongestSlice(operation: Operation, costly: Costly): Promise<{ status: number; ms: number }> {
  let status: number | null = null
  ask(operation, costly).then(
    (answered) => (status = answered),
    () => (status = 0),
  )
  let ms = 0
  for (let last = usedMs(); status === null; last = usedMs()) {
    await setImmediate()
    ms = Math.max(ms, usedMs() - last)
  }
  return { status, ms }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function* costlyRequests(operation: Operation): Generator<Costly> {
  const { row, parameters = [] } = operation
  const fill = (piece: string) => piece.repeat(Math.floor((14 * KIB) / piece.length))
  const asked = (query: object): Row => ({ ...row, query: { ...row.query, ...query } as Record<string, string> })
  const names = Array.from({ length: 2_500 }, (_, at) => [`a${at}`, ''])
  yield { what: 'unknown names', request: { ...row, query: Object.fromEntries(names) } }
  yield { what: 'commas in each parameter', request: asked(inEach(parameters, 'query', fill(','))) }
  for (const piece of ['a', '1', '%F0%9D%84%9E', '%2C', '%2F', '-', '.', '+'])
    yield { what: `${piece} in each part`, request: { ...asked(inEach(parameters, 'query', fill(piece))) } }
  for (const piece of ['a', '%F0%9D%84%9E', '%2F'])
    yield {
      what: `${piece} in the path`,
      request: { ...row, params: { ...row.params, ...inEach(parameters, 'path', fill(piece)) } },
    }
  for (const name of ['authorization', 'x-api-key', 'idempotency-key', 'laurel-version', 'content-encoding', 'cookie'])
    for (const piece of ['a.', ' '])
      yield { what: `header ${name} of ${piece}`, request: row, headers: { [name]: `Bearer ${fill(piece)}` } }
  yield { what: 'a signature', request: row, headers: { 'plaid-verification': fill('e30.') } }
  const schema = getBody(operation)
  if (operation.method !== 'GET')
    for (const [what, body] of costlyBodies(row, schema, BODY_BYTES)) yield { what, request: row, body }
  if (operation.operationId === 'readCatalogCsv')
    for (const [what, line] of Object.entries(CSV_LINES)) yield { what, request: row, body: makeCsv(line) }
}

const CSV_LINES: Readonly<Record<string, (nth: number) => string>> = {
  'one brand': () => '1,1\n',
  'many brands': (nth) => `${nth},1\n`,
  'many faults': (nth) => `1,${nth}\n`,
}

/** Returns a CSV file of such lines that is almost as large as the service accepts. */
function makeCsv(line: (nth: number) => string): string {
  return JSON.stringify({ csv: `name,category_id\n${Array.from({ length: 90_000 }, (_, nth) => line(nth)).join('')}` })
}

function getBody({ requestBody }: Operation): Schema {
  return requestBody?.content['application/json']?.schema ?? {}
}

/** Splits a long text evenly across all parameters in one place, such as the query. */
function inEach(parameters: NonNullable<Operation['parameters']>, place: string, text: string): Record<string, string> {
  const names = parameters.filter((one) => one.in === place).map(({ name }) => name)
  const share = Math.floor(text.length / Math.max(1, names.length) / 12) * 12
  return Object.fromEntries(names.map((name) => [name, text.slice(0, share)]))
}

function* costlyBodies(row: Row, schema: Schema, bytes: number): Generator<[what: string, body: string]> {
  const kinds = [schema, ...(schema.anyOf ?? [])]
  const properties: NonNullable<Schema['properties']> = Object.assign({}, ...kinds.map((one) => one.properties))
  const fill = (piece: string) => piece.repeat(Math.floor((bytes - 4 * KIB) / piece.length))
  const sound = JSON.stringify(row.body ?? {}).slice(1, -1)
  const start = sound === '' ? '{' : `{${sound},`
  yield ['unknown members', `{${Array.from({ length: 19_990 }, (_, at) => `"a${at}":1`)}}`]
  yield ['very many unknown members', `{${Array.from({ length: bytes / 16 }, (_, at) => `"a${at}":1`)}}`]
  yield ['a repeated member', `{"a":1,"b":"${fill('x')}","a":2}`]
  yield ['a repeated member next to escapes', `{"b":"${fill('\\"')}","a":1,"a":2}`]
  yield ['depth', fill('[')]
  yield ['blanks', `{${fill(' ')}`]
  yield ['lines', `${fill('\n')}{`]
  yield ['a long number', `${start}"x":${fill('9')}}`]
  yield ['items', `${start}"x":[${fill('1,')}1]}`]
  yield ['a long name', `${start}"${fill('x.')}":1}`]
  const texts = Object.entries(properties).filter(([, { type, anyOf }]) =>
    [type, ...(anyOf ?? []).map((one) => one.type)].flat().includes('string'),
  )
  for (const piece of ['a', '1', '@a.', 'a-', '\\ud834\\udd1e', '%', '//', ' '])
    yield [
      `${piece} in each text`,
      JSON.stringify({ ...row.body, ...Object.fromEntries(texts.map(([name]) => [name, '?'])) }).replaceAll(
        '"?"',
        () => `"${piece.repeat(Math.floor((bytes - 8 * KIB) / piece.length / Math.max(1, texts.length)))}"`,
      ),
    ]
  for (const [name, { type, items }] of Object.entries(properties))
    if (type === 'array') {
      const members = Array.from({ length: 60_000 }, (_, at) => `"a${at}":1`)
      yield [`an item with many members in ${name}`, `{"${name}":[{${members}}]}`]
      for (const inner of listsIn(items)) {
        yield [`an item with many faults in ${name}`, `{"${name}":[{"${inner}":[${Array(95_000).fill('1')}]}]}`]
        const objects = Array.from({ length: 9 }, (_, of) => `{${members.slice(of * 5_000, (of + 2) * 5_000)}}`)
        yield [`an item of objects with many members in ${name}`, `{"${name}":[{"${inner}":[${objects}]}]}`]
      }
      const numbers = Array(Math.floor(bytes / 20)).fill('9e99')
      yield [
        `numbers under a long name in ${name}`,
        `{"${name}":[{"${'é'.repeat(Math.min(bytes / 4, 900_000))}":[${numbers}]}]}`,
      ]
      for (const item of ['1', '{}', '{"a":1}', '"a"'])
        yield [
          `${item} in ${name}`,
          `{"${name}":[${Array(Math.floor((bytes - 4 * KIB) / (item.length + 1))).fill(item)}]}`,
        ]
    }
}

/** Returns the fields of an item that are themselves lists. */
function listsIn(items: Schema | undefined): string[] {
  return Object.entries(items?.properties ?? {}).flatMap(([name, { type }]) => (type === 'array' ? [name] : []))
}

type Measure = typeof measureCost

/** Describes the request if it fails or if even the cheapest of several tries costs too much. */
async function tooCostly(measure: Measure, operation: Operation, costly: Costly): Promise<string[]> {
  let { status, ms } = await measure(operation, costly)
  for (let tries = 1; tries < TRIES && ms > COST_MAX_MS; tries++)
    ms = Math.min(ms, (await measure(operation, costly)).ms)
  const found = `${ms.toFixed(1)} ms, ${status}: ${operation.operationId}, ${costly.what}`
  if (process.env['COSTS']) console.log(found)
  return ms > COST_MAX_MS || status >= 500 || status === 0 ? [found] : []
}

test('the most expensive request to each operation barely blocks the event loop', async () => {
  const found: string[] = []
  const others = operations.filter(({ operationId }) => !BATCHES.includes(operationId))
  for (const operation of sample(others, 1 / 5))
    for (const costly of costlyRequests(operation)) found.push(...(await tooCostly(measureCost, operation, costly)))
  assert.deepEqual(found, [])
})

test('a batch of the maximum size is processed in short slices', async () => {
  const found: string[] = []
  for (const operation of operations.filter(({ operationId }) => BATCHES.includes(operationId)))
    for (const [what, body] of sample([...costlyBodies(operation.row, getBody(operation), BATCH_BYTES)], 1 / 4)) {
      const costly = { what, request: operation.row, body }
      found.push(...(await tooCostly(measureLongestSlice, operation, costly)))
    }
  assert.deepEqual(found, [])
})
