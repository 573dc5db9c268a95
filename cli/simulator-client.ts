import { readConfig } from '../src/platform/config/config.ts'
import { UserError } from './errors.ts'
import { usage } from './options.ts'
import { isSimulator } from './probe.ts'
import { findRuntime } from './runtime.ts'
import { shell } from './shell.ts'

// The simulator responds immediately, so if it takes longer than this, it is stuck.
const CALL_LIMIT_MS = 10_000

/** The control interface of a running simulator. */
export type SimulatorClient = {
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>
  post<T>(path: string, body?: Readonly<Record<string, unknown>>): Promise<T>
}

/** The fields of logins and rows that the commands use, as the control interface returns them. */
export type SimulatorItem = {
  readonly item_id: string
  readonly client_user_id: string
  /** The publisher's identifier, as passed to --user; absent if the user is not registered in this installation. */
  readonly publisher_user_id?: string
  readonly institution: { readonly institution_id: string; readonly name: string }
  readonly accounts: readonly { readonly account_id: string; readonly name: string; readonly mask: string | null }[]
  readonly error: string | null
}
export type SimulatorRow = {
  readonly transaction_id: string
  readonly account_id: string
  readonly name: string
  readonly amount: number
  readonly iso_currency_code: string
  readonly date: string
  readonly pending: boolean
}

/**
 * Connects to the simulator at the given address, or to the one running with this installation.
 * @throws UserError if there is none
 */
export async function openSimulator(given: string | undefined): Promise<SimulatorClient> {
  const url = given === undefined ? await findUrl() : readUrl(given)
  if (!(await isSimulator(url))) {
    throw new UserError(`No simulator responds at ${url}. Start Laurel with \`npm start\`, or correct --simulator-url.`)
  }
  return {
    get: (path, query = {}) => call(`${url}/_sim/${path}?${new URLSearchParams(query)}`, { method: 'GET' }),
    post: (path, body = {}) =>
      call(`${url}/_sim/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}

async function findUrl(): Promise<string> {
  const config = readConfig(shell().env)
  const url = (await findRuntime(config.dataDir))?.simulator_url ?? config.linkerUrl
  if (url !== null) return url
  throw new UserError(
    'No simulator is running here. Start Laurel with `npm start`, or specify one with --simulator-url.',
  )
}

function readUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw usage(`"${text}" is not a URL such as http://127.0.0.1:8081.`)
  }
  return url.origin
}

async function call<T>(url: string, init: RequestInit): Promise<T> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_LIMIT_MS) }).catch(() => {
    throw new UserError(`The simulator at ${new URL(url).origin} has stopped responding.`)
  })
  const content: unknown = await answer.json()
  // Each caller declares the fields it reads; the control interface guarantees them.
  if (answer.ok) return content as T
  throw toRefusal(content)
}

/**
 * The simulator's messages are written for callers of its API. If a message refers to an API call, the user gets this
 * advice with the equivalent command instead.
 */
const ADVICE: Readonly<Record<string, string>> = {
  PAYER_NOT_FOUND: 'No linked card matches. List them with `laurel simulator list`.',
  ITEM_NOT_FOUND: 'There is no such login. List them with `laurel simulator list`.',
  TRANSACTION_NOT_FOUND:
    'There is no such transaction. List them with `laurel simulator list`. A transaction that posts gets a new id.',
}

function toRefusal(content: unknown): UserError {
  const { error_code: code, error_message: message } = content as Readonly<Record<string, unknown>>
  return new UserError(ADVICE[String(code)] ?? String(message))
}
