import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { type Call, callerOf, startTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

/** docs/linking.md tells the way of a card call by call; here each call is made as it stands there, and its answer compared. */
const document = await readFile(new URL('../../docs/linking.md', import.meta.url), 'utf8')
const catalog = await readFile(new URL('../../db/sample/catalog.json', import.meta.url), 'utf8')

const app = await startTestApp()
after(() => app.close())

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Names = Map<string, string>

test('the calls of part 3 work one after the other, and answer what the document shows', async () => {
  await app.catalog(JSON.parse(catalog))
  const names: Names = new Map([
    ['LAUREL', app.service.url],
    ['SIMULATOR', app.simulatorUrl],
    ['KEY', app.apiKey],
  ])
  const call = callerOf(app.service.url, null)
  let last: Json = null
  let count = 0
  for (const { command, shown, kept } of stepsOf(partOf(3))) {
    if (command !== null && shown !== null) {
      last = await answerAsShown(call, wordsOf(command, names), shown)
      count++
    }
    if (kept !== null) names.set(kept.name, String(at(last, kept.path)))
  }
  assert(count >= 20, `only ${count} calls were found in the document`)
})

type Step = {
  readonly command: string | null
  readonly shown: string | null
  readonly kept: { readonly path: string; readonly name: string } | null
}

/** A call with the answer under it, or what is to be kept of the answer before. Every call must show its answer. */
function stepsOf(part: string): Step[] {
  const found = part.matchAll(
    /^```sh\n(?<command>[\s\S]*?)^```\n(?:```json\n(?<shown>[\s\S]*?)^```)?|Keep `(?<path>[^`]+)` as `(?<name>[A-Z_]+)`/gm,
  )
  return [...found].flatMap(({ groups: { command, shown, path, name } = {} }) => {
    if (name !== undefined) return [{ command: null, shown: null, kept: { path: path ?? '', name } }]
    // The addresses and the key are set first, each reader's own.
    if (command === undefined || /^([A-Z]+=\S+\n)+$/.test(command)) return []
    assert(shown !== undefined, `no answer is shown for ${command}`)
    return [{ command, shown, kept: null }]
  })
}

/** Sends what a curl line sends. What is only read may take a moment to be as shown; a change is made once. */
async function answerAsShown(call: Call, words: readonly string[], shown: string): Promise<Json> {
  const { method, url, headers, body } = requestOf(words)
  const wanted = JSON.parse(shown) as { readonly [name: string]: Json }
  const status = typeof wanted['status'] === 'number' ? wanted['status'] : 200
  const look = async () => {
    const answer = await call(method, url, body, headers)
    const fault = answer.status === status ? faultOf(wanted, answer.body) : `status ${answer.status}, not ${status}`
    return { fault, body: answer.body as Json }
  }
  let seen = await look()
  if (method === 'GET' && seen.fault !== null)
    await eventually(async () => {
      seen = await look()
      return seen.fault === null
    }).catch(() => undefined)
  assert.equal(seen.fault, null, `${words.join(' ')}\nanswers ${JSON.stringify(seen.body, null, 1)}`)
  return seen.body
}

/** Where an answer is not as shown; fields and elements that are not shown may be there. */
function faultOf(shown: Json, actual: Json | undefined, path = 'the answer'): string | null {
  if (typeof shown === 'string' && shown.includes('…')) {
    const [start = '', end = ''] = shown.split('…')
    return typeof actual === 'string' && actual.startsWith(start) && actual.endsWith(end)
      ? null
      : `${path} is not ${shown}`
  }
  if (typeof shown !== 'object' || shown === null) return shown === actual ? null : `${path} is not ${shown}`
  if (typeof actual !== 'object' || actual === null) return `${path} is no object`
  if (Array.isArray(shown) && shown.length === 0)
    return Array.isArray(actual) && actual.length === 0 ? null : `${path} is not empty`
  for (const [name, value] of Object.entries(shown)) {
    const fault = faultOf(value, (actual as Readonly<Record<string, Json>>)[name], `${path}.${name}`)
    if (fault !== null) return fault
  }
  return null
}

function requestOf([program, ...args]: readonly string[]) {
  assert.equal(program, 'curl', 'part 3 shows calls by curl alone')
  const request = {
    method: 'GET',
    url: '',
    headers: {} as Record<string, string>,
    body: undefined as string | undefined,
  }
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    const value = word.startsWith('-') ? (args[++index] ?? '') : word
    if (word === '-X') request.method = value
    else if (word === '-d') request.body = value
    else if (word === '-H') request.headers[value.slice(0, value.indexOf(':'))] = value.slice(value.indexOf(':') + 2)
    else request.url = value
  }
  return request
}

/** The words of a shell's command: quotes, names of variables, and lines that go on. */
function wordsOf(command: string, names: Names): string[] {
  const word = /(?:'[^']*'|"[^"]*"|\\\n|[^\s'"\\])+/g
  const expanded = (text: string): string =>
    text.replaceAll(/\$([A-Z_]+)/g, (_text, name: string) => {
      const value = names.get(name)
      assert(value !== undefined, `nothing says what $${name} is`)
      return value
    })
  return [...command.replaceAll('\\\n', ' ').matchAll(word)].map(([text]) =>
    text.replaceAll(
      /'([^']*)'|"([^"]*)"|([^'"]+)/g,
      (_part, literal?: string, quoted?: string, plain?: string) => literal ?? expanded(quoted ?? plain ?? ''),
    ),
  )
}

function at(value: Json, path: string): Json {
  let found: Json | undefined = value
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== ''))
    found = (found as Readonly<Record<string, Json>> | null)?.[name]
  assert(found !== undefined && found !== null, `the answer has no ${path}`)
  return found
}

function partOf(number: number): string {
  const part = document.split(/^## /m).find((text) => text.startsWith(`${number}. `))
  assert(part !== undefined)
  return part
}
