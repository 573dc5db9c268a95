import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type SimulatorOptions, startSimulator } from './index.ts'

type Answer<Body> = { readonly status: number; readonly body: Body }
export type Fault = { readonly error_type: string; readonly error_code: string; readonly error_message: string }

const openOnes = new WeakMap<TestContext, (() => unknown)[]>()

/**
 * Runs cleanup at the end of the test in reverse order of opening. The test runner would clean up in the order of
 * opening and stop at the first failure, so a folder that cannot be removed because a simulator still writes to it
 * would keep that simulator running.
 */
export function atEnd(t: TestContext, close: () => unknown): void {
  const known = openOnes.get(t)
  if (known !== undefined) {
    known.push(close)
    return
  }
  const opened = [close]
  openOnes.set(t, opened)
  t.after(async () => {
    const faults: unknown[] = []
    for (const closeOne of opened.reverse()) {
      try {
        await closeOne()
      } catch (fault) {
        faults.push(fault)
      }
    }
    assert.deepEqual(faults, [])
  })
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a simulator for this test, with functions to call it as `client-a` or another client. */
export async function openSimulator(t: TestContext, options: Partial<SimulatorOptions> = {}) {
  const simulator = await startSimulator({ port: 0, ...options })
  atEnd(t, simulator.close)

  /** Calls the provider API. `Body` is the response shape that the test expects and then checks. */
  async function call<Body = Fault>(path: string, body: unknown, client = 'client-a'): Promise<Answer<Body>> {
    return post<Body>(simulator.url + path, body, { 'plaid-client-id': client, 'plaid-secret': 'any' })
  }

  async function control<Body = Fault>(path: string, body: unknown = {}): Promise<Answer<Body>> {
    return post<Body>(`${simulator.url}/_sim/${path}`, body, {})
  }

  async function ask<Body>(path: string): Promise<Body> {
    const answer = await fetch(`${simulator.url}/_sim/${path}`)
    return (await answer.json()) as Body
  }

  return { url: simulator.url, call, control, ask, close: simulator.close }
}

export type TestSimulator = Awaited<ReturnType<typeof openSimulator>>
export type Tokens = { readonly access_token: string; readonly item_id: string }

/** Links a user, by default one without history, at a bank, bypassing the link page. */
export async function linkItem(
  { call }: Pick<TestSimulator, 'call'>,
  {
    institution = 'ins_109508',
    webhook = undefined as string | undefined,
    username = 'user_plain',
    password = 'pass_good',
    daysRequested = undefined as number | undefined,
  } = {},
): Promise<Tokens> {
  const created = await call<{ public_token: string }>('/sandbox/public_token/create', {
    institution_id: institution,
    initial_products: ['transactions'],
    options: {
      override_username: username,
      override_password: password,
      webhook,
      transactions: { days_requested: daysRequested },
    },
  })
  const { public_token } = created.body
  return (await call<Tokens>('/item/public_token/exchange', { public_token })).body
}

export function linkTokenBody(more: object = {}) {
  return {
    client_name: 'Corner Shop Rewards',
    language: 'en',
    country_codes: ['US'],
    user: { client_user_id: 'user-1' },
    products: ['transactions'],
    ...more,
  }
}

export type Received = {
  readonly jwt: string
  readonly raw: string
  readonly content: Readonly<Record<string, unknown>>
}

/** Opens a webhook receiver. It responds with the given statuses in order, then always with 200. */
export async function openReceiver(t: TestContext, statuses: number[] = []) {
  const arrived: Received[] = []
  const waiting: ((received: Received) => void)[] = []
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const content = JSON.parse(raw) as Received['content']
    const received = { jwt: String(request.headers['plaid-verification']), raw, content }
    const waiter = waiting.shift()
    if (waiter === undefined) arrived.push(received)
    else waiter(received)
    response.writeHead(statuses.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  /** Returns the next webhook, waiting for it if necessary. */
  function next(): Promise<Received> {
    const received = arrived.shift()
    return received === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(received)
  }

  return { url: `http://127.0.0.1:${port}/hook`, next }
}

async function post<Body>(url: string, body: unknown, headers: Record<string, string>): Promise<Answer<Body>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}
