import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { isBusy } from '../support/app.ts'
import { databaseEnvironment } from '../support/postgres.ts'

export type Process = {
  readonly child: ChildProcess
  /** Null for a worker, which does not listen on a port. */
  readonly url: string | null
  /** Sends the signal. Resolves to the exit code, or to the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | string | null>
}

/**
 * The processes to kill after each test. After a failed test, they would keep running and take the next test's work.
 */
const started = new Set<ChildProcess>()

/** Kills every process that is still running. Call it from the file's `afterEach` or `after`. */
export async function endProcesses(): Promise<void> {
  for (const child of started) {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Starts the service in a separate process that shares only its settings with the test. */
export async function startProcess(settings: Readonly<Record<string, string>>): Promise<Process> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', LAUREL_LOG_LEVEL: 'info', ...databaseEnvironment(), ...settings },
  })
  const ended = once(child, 'exit')
  started.add(child)
  ended.then(() => started.delete(child))
  const lines = createInterface({ input: child.stderr })
  const output: string[] = []
  const listening = new Promise<string | null>((resolve, reject) => {
    // A worker prints nothing once it is running, so tests wait for its effects.
    if (settings['LAUREL_ROLE'] === 'worker') resolve(null)
    lines.on('line', (line) => {
      output.push(line)
      const url = /listening at (http:\/\/[\d.:]+)/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
    ended.then(() => reject(new Error(`it ended before it listened:\n${output.join('\n')}`)))
  })
  return {
    child,
    url: await listening,
    end: async (signal) => {
      child.kill(signal)
      const [code, by] = await ended
      return code ?? by
    },
  }
}

type Outcome = { readonly name: string; readonly status: number | null; readonly fault: string | null }
type Load = { readonly outcomes: readonly Outcome[]; stop(): Promise<void> }

/** Returns a purchase that earns one dollar. */
export const makePurchase = (publisher_user_id: string, external_id: string) => ({
  publisher_user_id,
  external_id,
  source: 'GIFT_CARD',
  offer_uid: 'offer-gadgets-gift',
  amount: 25,
})

/**
 * Starts callers that send purchases one after another and record the outcomes. They stop on request, or when the
 * server stops listening.
 */
export function startLoad(
  url: string,
  apiKey: string,
  publisherUserId: string,
  { callers, keepAlive }: { readonly callers: number; readonly keepAlive: boolean },
): Load {
  const outcomes: Outcome[] = []
  const agent = new Agent({ keepAlive, maxSockets: callers })
  let stopped = false
  const call = async (caller: number): Promise<void> => {
    for (let count = 0; !stopped; count++) {
      const name = `${publisherUserId} ${caller}-${count}`
      const outcome = await send(agent, url, apiKey, makePurchase(publisherUserId, name))
      outcomes.push({ name, ...outcome })
      if (outcome.status === null) return
    }
  }
  const running = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  return {
    outcomes,
    stop: async () => {
      stopped = true
      await running
      agent.destroy()
    },
  }
}

async function send(agent: Agent, url: string, apiKey: string, body: object): Promise<Omit<Outcome, 'name'>> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const sent = request(`${url}/transactions`, { method: 'POST', agent, headers })
  const answered = once(sent, 'response')
  sent.end(JSON.stringify(body))
  try {
    const [response] = await answered
    const received = await text(response)
    if (response.statusCode === 503 && isBusy(503, JSON.parse(received))) return send(agent, url, apiKey, body)
    return { status: response.statusCode, fault: null }
  } catch (error) {
    const { code } = error as { code?: string }
    return { status: null, fault: `${code ?? error}${sent.reusedSocket ? ' on a line in use' : ''}` }
  }
}

export function acknowledged({ outcomes }: Load): string[] {
  for (const { name, status } of outcomes)
    assert.ok(status === 200 || status === null, `${name} was answered ${status}`)
  return outcomes.filter(({ status }) => status === 200).map(({ name }) => name)
}

export function findFaults({ outcomes }: Load): (string | null)[] {
  return outcomes.filter(({ status }) => status === null).map(({ fault }) => fault)
}
