import assert from 'node:assert/strict'
import { createProgram } from '../../cli/program.ts'
import type { Call } from './app.ts'
import { eventually } from './eventually.ts'

// Runs the calls in a document as its reader would, and compares the responses.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type Names = Map<string, string>

type Step = {
  readonly command: string | null
  readonly shown: string | null
  readonly kept: { readonly path: string; readonly name: string } | null
}

/**
 * Returns the steps in the document. A step is a call with its response, or a value to keep from the last response.
 * Every call must show its response.
 */
export function parseSteps(part: string): Step[] {
  const found = part.matchAll(
    /^```sh\n(?<command>[\s\S]*?)^```\n(?:```json\n(?<shown>[\s\S]*?)^```)?|Keep `(?<path>[^`]+)` as `(?<name>[A-Z_]+)`/gm,
  )
  return [...found].flatMap((match): Step[] => {
    const { command, shown, path, name } = match.groups ?? {}
    if (name !== undefined) return [{ command: null, shown: null, kept: { path: path ?? '', name } }]
    // The first block sets the addresses and the key, which differ for each reader.
    if (command === undefined || /^([A-Z]+=\S+\n)+$/.test(command)) return []
    assert(shown !== undefined, `no answer is shown for ${command}`)
    return [{ command, shown, kept: null }]
  })
}

/**
 * Sends the request of a curl command. A read is repeated until it returns what the document shows. A write is sent
 * once.
 */
export async function answerAsShown(call: Call, words: readonly string[], shown: string): Promise<Json> {
  const { method, url, headers, body } = parseRequest(words)
  const wanted = JSON.parse(shown) as { readonly [name: string]: Json }
  const status = typeof wanted['status'] === 'number' ? wanted['status'] : 200
  const look = async () => {
    const answer = await call(method, url, body, headers)
    const fault =
      answer.status === status ? findDifference(wanted, answer.body) : `status ${answer.status}, not ${status}`
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

/**
 * Explains where a response differs from the document. Returns null if it matches. The document may omit fields and
 * elements.
 */
export function findDifference(shown: Json, actual: Json | undefined, path = 'the answer'): string | null {
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
    const fault = findDifference(value, (actual as Readonly<Record<string, Json>>)[name], `${path}.${name}`)
    if (fault !== null) return fault
  }
  return null
}

function parseRequest([program, ...args]: readonly string[]) {
  assert.equal(program, 'curl', 'part 3 only shows calls by curl')
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

/** Returns the words of a shell command, with quotes, variables and line continuations resolved. */
export function parseWords(command: string, names: Names): string[] {
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

export function at(value: Json, path: string): Json {
  let found: Json | undefined = value
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== ''))
    found = (found as Readonly<Record<string, Json>> | null)?.[name]
  assert(found !== undefined && found !== null, `the answer has no ${path}`)
  return found
}

/** Follows a command's words down to its arguments, and checks that each option exists. */
export async function checkCommand(words: readonly string[]): Promise<void> {
  let command = await createProgram(words)
  for (const word of words.filter((one) => !one.startsWith('--') && /^[a-z-]+$/.test(one))) {
    const next = command.commands.find((one) => one.name() === word)
    assert(next !== undefined || command.commands.length === 0, `there is no ./laurel ${words.join(' ')}`)
    command = next ?? command
  }
  for (const option of words.filter((one) => one.startsWith('--')))
    assert(
      command.options.some(({ long }) => long === option),
      `${command.name()} has no ${option}`,
    )
}
